#include "db/pmem_properties.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "db/state/db_state.h"
#include "db/state/read_view.h"
#include "pmem/group/tree_group.h"
#include "pmem/pmem_tier.h"
#include "util/text.h"

namespace leveldb {

namespace {

class Figures {
 public:
  void Add(const std::string& name, uint64_t value) {
    figures_.emplace_back(name, NumberToString(value));
  }
  void AddText(const std::string& name, std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');  // a line each
    figures_.emplace_back(name, std::move(text));
  }
  void AddRatio(const std::string& name, double value) {
    char text[32];
    snprintf(text, sizeof(text), "%.4f", value);
    figures_.emplace_back(name, text);
  }

  bool Find(const Slice& name, std::string* value) const {
    for (const auto& [figure, text] : figures_) {
      if (name != Slice(figure)) continue;
      *value = text;
      return true;
    }
    return false;
  }

  std::string ToString() const {
    std::string text;
    for (const auto& [figure, value] : figures_) text += figure + " " + value + "\n";
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> figures_;
};

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void AddPool(PmemTier* tier, Figures* figures) {
  figures->Add("pool-bytes", tier->pool()->size());
  figures->Add("pool-ceiling", tier->pool()->ceiling());
  figures->Add("pool-used-bytes", tier->extents()->used_bytes());
  figures->AddRatio("pool-use", tier->extents()->use());
  figures->AddText("medium", tier->pool()->medium_description().Text());
}

void AddGroup(const PmemTier& tier, const TreeGroup& group, Figures* figures) {
  uint64_t leaf_bytes = 0;
  std::map<Place, uint64_t> live_bytes;  // by run of value extents
  for (int level = 0; level < kGroupLevels; level++) {
    figures->Add("trees-at-level" + NumberToString(level), group.trees(level).size());
    leaf_bytes += group.LevelLeafBytes(level);
    for (const TreePtr& tree : group.trees(level)) {
      for (const ValueExtentUse& use : tree->value_extents()) {
        live_bytes[use.extent] += use.live_bytes;
      }
    }
  }
  uint64_t live = 0;
  for (const auto& [extent, bytes] : live_bytes) live += bytes;
  const uint64_t room = live_bytes.size() * tier.pool()->extent_size();
  figures->Add("leaf-bytes", leaf_bytes);
  figures->Add("dram-bytes", group.TotalDramBytes());
  figures->Add("hint-bytes", tier.value_hints().memory_bytes());
  figures->Add("value-extents", live_bytes.size());
  figures->Add("value-live-bytes", live);
  figures->AddRatio("garbage-share", live < room ? Share(room - live, room) : 0.0);
}

// What the mutex guards.
struct Standing {
  uint64_t table_bytes = 0;
  uint64_t stalls = 0;
  uint64_t stall_micros = 0;
  uint64_t flush_moves = 0;
  uint64_t logs = 0;
  Status error;
};

Standing StandingOf(DbState* state) {
  MutexLock lock(&state->mutex);
  Standing standing;
  int64_t bytes = 0;
  for (const LevelWork& work : state->stats.levels) bytes += work.bytes_written;
  standing.table_bytes = static_cast<uint64_t>(bytes);
  standing.stalls = static_cast<uint64_t>(state->stats.write_wait_count);
  standing.stall_micros = static_cast<uint64_t>(state->stats.write_wait_micros);
  standing.flush_moves = static_cast<uint64_t>(state->stats.flush_moves);
  standing.logs = state->log_numbers.size();
  standing.error = state->background_error();
  return standing;
}

void AddWork(const PmemStats& stats, uint64_t table_bytes, Figures* figures) {
  const uint64_t user_bytes = stats.Sum(&PmemWriterStats::user_bytes);
  const uint64_t log_bytes = stats.Sum(&PmemWriterStats::log_bytes);
  const uint64_t value_bytes = stats.Sum(&PmemWriterStats::value_bytes);
  const uint64_t pool_bytes = log_bytes + value_bytes + stats.flush_bytes.value() +
                              stats.merge_bytes.value() + stats.sweep_bytes.value();
  figures->Add("user-bytes", user_bytes);
  figures->Add("log-bytes", log_bytes);
  figures->Add("value-bytes", value_bytes);
  figures->Add("flush-bytes", stats.flush_bytes.value());
  figures->Add("merge-bytes", stats.merge_bytes.value());
  figures->Add("sweep-bytes", stats.sweep_bytes.value());
  figures->Add("spill-bytes", stats.spill_bytes.value());
  figures->Add("ssd-bytes", table_bytes);
  figures->AddRatio("pm-bytes-per-user-byte", Share(pool_bytes, user_bytes));
  figures->AddRatio("ssd-bytes-per-user-byte", Share(table_bytes, user_bytes));
  figures->Add("flushes", stats.flushes.value());
  figures->Add("merges", stats.merges.value());
  figures->Add("sweeps", stats.sweeps.value());
  figures->Add("spills", stats.spills.value());
}

void AddWaits(const PmemStats& stats, const Standing& standing, Figures* figures) {
  figures->Add("stalls", standing.stalls);
  figures->Add("stall-micros", standing.stall_micros);
  figures->Add("flush-moves", standing.flush_moves);
  figures->Add("full-waits", stats.Sum(&PmemWriterStats::full_waits));
  figures->Add("naps", stats.Sum(&PmemWriterStats::naps));
}

}  // namespace

bool ReadPmemProperty(DbState* state, const ReadView& view, const Slice& name, std::string* value) {
  PmemTier* const tier = state->tier();
  if (tier == nullptr) return false;
  Figures figures;
  AddPool(tier, &figures);
  AddGroup(*tier, *view.version->group(), &figures);
  const Standing standing = StandingOf(state);
  figures.Add("logs", standing.logs);
  AddWork(*tier->stats(), standing.table_bytes, &figures);
  AddWaits(*tier->stats(), standing, &figures);
  const PersistCounts counts = tier->persist()->counts();
  figures.Add("fences", counts.fences);
  figures.Add("flushed-lines", counts.flushes);
  figures.Add("lost", tier->pool()->Lost() ? 1 : 0);
  figures.AddText("background-error", standing.error.ToString());
  if (name.empty()) {
    *value = figures.ToString();
    return true;
  }
  return figures.Find(name, value);
}

}  // namespace leveldb
