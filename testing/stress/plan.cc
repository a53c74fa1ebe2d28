#include "testing/stress/plan.h"

#include <algorithm>
#include <limits>

#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/stress/key_space.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr uint64_t kPoolMin = 8 << 20;
constexpr uint64_t kWriteBufferMin = 64 << 10;

bool Has(const std::vector<Kind>& kinds, Kind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// ---- options -----------------------------------------------------------------------------------

void DrawFileOptions(Numbers* numbers, Dice* dice) {
  numbers->Set("write_buffer", kWriteBufferMin << dice->Below(4));
  numbers->Set("block_size", 1024 * dice->Between(1, 8));
  numbers->Set("restart", dice->Between(1, 20));
  numbers->Set("max_file", uint64_t{1} << dice->Between(20, 21));
  numbers->Set("compression", dice->Below(3));
  numbers->Set("open_files", dice->OneIn(3) ? 74 : 1000);
  if (dice->OneIn(2)) numbers->Set("filter", dice->Between(1, 16));
  if (dice->OneIn(2)) numbers->Set("cache", dice->Below(3) * (128 << 10));
  if (dice->OneIn(3)) numbers->Set("paranoid", 1);
  if (dice->OneIn(3)) numbers->Set("reuse_logs", 1);
}

void DrawTierOptions(Numbers* numbers, Dice* dice) {
  numbers->Set("tier", 1);
  numbers->Set("pool", kPoolMin * (dice->OneIn(2) ? 1 : dice->Between(1, 4)));
  if (dice->OneIn(3)) {
    const uint64_t sizes[] = {1, 64, 1000, std::numeric_limits<uint64_t>::max()};
    numbers->Set("separation", sizes[dice->Below(4)]);
  }
  if (dice->OneIn(3)) numbers->Set("persist_bytes", dice->Below(64 << 10));
  if (dice->OneIn(3)) numbers->Set("gc", dice->Between(1, 100));
  if (dice->OneIn(3)) numbers->Set("fixed_trees", 1);
  if (dice->OneIn(2)) {
    numbers->Set("spill_start", dice->Between(10, 90));
    numbers->Set("spill_stop", dice->Below(100));
  }
  if (dice->OneIn(8)) numbers->Set("no_spill", 1);
  if (dice->OneIn(8)) numbers->Set("prefault", 1);
  if (dice->OneIn(8)) numbers->Set("guard", 1);
}

// ---- operations --------------------------------------------------------------------------------

// Draws how often each operation runs, in relation to the others.
void DrawMix(Numbers* numbers, Dice* dice) {
  const auto weigh = [&](const char* name, uint64_t most) {
    if (!dice->OneIn(6)) numbers->Set(name, dice->Between(1, most));
  };
  numbers->Set("put", dice->Between(100, 600));
  weigh("delete", 300);
  weigh("batch", 200);
  weigh("get", 300);
  weigh("peek", 200);
  weigh("scan", 60);
  weigh("snapshot", 20);
  weigh("iterator", 20);
  weigh("walk", 4);
  weigh("flush", 10);
  weigh("compact", 3);
  weigh("property", 20);
  weigh("sizes", 10);
  if (dice->OneIn(10)) numbers->Set("drain", 1);
  if (dice->OneIn(2)) numbers->Set("sync", dice->Below(40));
  const uint64_t sizes[] = {40, 300, 2000, 6000};
  numbers->Set("value_max", dice->OneIn(20) ? 60000 : sizes[dice->Below(4)]);
}

// ---- faults ------------------------------------------------------------------------------------

void DrawKill(Numbers* numbers, Dice* dice, uint32_t threads) {
  // The unit that is counted: steps of operations, calls of the file system, calls of the pool, or
  // time.
  const uint64_t by = dice->Below(threads > 1 ? 4 : 3);
  numbers->Set("kill_by", by);
  const uint64_t most[] = {2000, 400, 4000, 60000};
  numbers->Set("kill_at", dice->Between(1, dice->OneIn(4) ? most[by] / 20 : most[by]));
}

void DrawFault(Kind kind, Numbers* numbers, Dice* dice) {
  if (kind == Kind::kFull) {
    numbers->Set("call", static_cast<uint64_t>(dice->OneIn(4) ? Call::kCreate : Call::kAppend));
    numbers->Set("lasting", 1);
    numbers->Set("half", dice->Below(2));
  } else {
    numbers->Set("call", dice->Below(kCallKinds));
    numbers->Set("lasting", dice->OneIn(3) ? 1 : 0);
    numbers->Set("half", dice->Below(2));
  }
  numbers->Set("at", dice->Between(1, dice->OneIn(3) ? 60 : 3));
  if (dice->OneIn(2)) numbers->Set("from_open", 1);
  // The fault happens in each session.
  numbers->Set("sessions", dice->Between(2, 8));
}

void DrawPoolFault(Numbers* numbers, Dice* dice) {
  if (dice->OneIn(2)) {
    // The pool becomes full.
    numbers->Set("no_spill", 1);
    numbers->Set("pool", kPoolMin);
    numbers->Set("value_max", 6000);
  }
  numbers->Set("room_at", dice->Between(1, dice->OneIn(2) ? 4 : 40));
  numbers->Set("lasting", dice->Below(2));
  if (dice->OneIn(3)) numbers->Set("from_open", 1);
  numbers->Set("sessions", dice->Between(2, 8));
}

void DrawPower(Numbers* numbers, Dice* dice) {
  numbers->Set("loss", dice->Below(5));
  numbers->Set("cuts", dice->Between(1, 30));
  numbers->Set("gap", uint64_t{1} << dice->Between(2, 8));
  numbers->Set("early_cuts", dice->Below(3));
  if (dice->OneIn(3)) {
    DrawFault(Kind::kEio, numbers, dice);
    // Mostly one of the calls that matter for durability.
    if (!dice->OneIn(3)) {
      const Call calls[] = {Call::kCreate, Call::kAppend, Call::kFlush, Call::kSync, Call::kRename};
      numbers->Set("call", static_cast<uint64_t>(calls[dice->Below(5)]));
    }
  }
}

Episode DrawEpisode(Kind kind, Dice* dice, bool has_tiers, uint32_t threads) {
  Episode episode;
  episode.kind = kind;
  Numbers* const numbers = &episode.numbers;
  numbers->Set("seed", dice->Below(uint64_t{1} << 32));
  numbers->Set("ops", dice->Between(20, kind == Kind::kKill ? 1000 : 400));
  numbers->Set("sessions", dice->OneIn(3) ? dice->Between(2, 3) : 1);
  numbers->Set("check", dice->Below(3));
  DrawFileOptions(numbers, dice);
  DrawMix(numbers, dice);
  if (has_tiers && (kind == Kind::kPool || !dice->OneIn(5))) {
    DrawTierOptions(numbers, dice);
  }
  if (dice->OneIn(12)) numbers->Set("drain_first", 1);
  switch (kind) {
    case Kind::kClose:
      break;
    case Kind::kKill:
      DrawKill(numbers, dice, threads);
      break;
    case Kind::kPower:
      DrawPower(numbers, dice);
      break;
    case Kind::kFull:
    case Kind::kEio:
      DrawFault(kind, numbers, dice);
      break;
    case Kind::kPool:
      DrawPoolFault(numbers, dice);
      break;
    case Kind::kMerge:
      break;
  }
  return episode;
}

// Each episode mixes `ops` directories of other databases.
Script PlanMergedRun(Dice* dice, uint32_t threads) {
  Script script;
  script.run.Set("world", static_cast<uint64_t>(World::kMerged));
  script.run.Set("threads", threads);
  for (uint64_t episodes = dice->Between(1, 3); episodes > 0; --episodes) {
    Episode episode;
    episode.kind = Kind::kMerge;
    episode.numbers.Set("seed", dice->Below(uint64_t{1} << 32));
    episode.numbers.Set("ops", dice->Between(1, 15));
    script.episodes.push_back(episode);
  }
  return script;
}

}  // namespace

Script PlanRun(uint64_t seed, const PlanOptions& options) {
  constexpr uint64_t kRunsPerMerged = 10;
  Dice dice(seed);
  const bool has_others = options.kinds != std::vector<Kind>{Kind::kMerge};
  if (Has(options.kinds, Kind::kMerge) && (!has_others || dice.OneIn(kRunsPerMerged))) {
    return PlanMergedRun(&dice, options.threads);
  }
  std::vector<Kind> real;
  for (const Kind kind : options.kinds) {
    if (kind != Kind::kPower && kind != Kind::kMerge) real.push_back(kind);
  }
  const bool is_simulated = Has(options.kinds, Kind::kPower) && (real.empty() || dice.OneIn(2));
  const bool may_close = Has(options.kinds, Kind::kClose);
  Script script;
  script.run.Set("world", static_cast<uint64_t>(is_simulated ? World::kSimulated : World::kReal));
  script.run.Set("seed", dice.Below(uint64_t{1} << 32));
  script.run.Set("threads", options.threads);
  script.run.Set("keys", dice.Between(10, 150));
  script.run.Set("order", dice.OneIn(2) ? 0 : dice.Below(kKeyOrders));
  script.run.Set("msync", dice.OneIn(4) ? 1 : 0);
  const bool has_tiers = !dice.OneIn(6);
  const uint64_t episodes = dice.Between(2, 8);
  while (script.episodes.size() < episodes) {
    Kind kind = Kind::kPower;
    if (is_simulated) {
      kind = may_close && dice.OneIn(6) ? Kind::kClose : Kind::kPower;
    } else {
      kind = real[dice.Below(real.size())];
    }
    script.episodes.push_back(DrawEpisode(kind, &dice, has_tiers, options.threads));
  }
  return script;
}

}  // namespace testkit
}  // namespace leveldb
