// Tests repeated power cuts during writes to a log in the pool.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "db/write/pool_log_test.h"
#include "testing/dice.h"
#include "testing/pmem_sim.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Loss;
using testkit::PmemImages;
using testkit::PmemSim;
using testkit::Scaled;
using testkit::ScratchPool;

struct Weather {
  PmemSim::Model model;
  uint64_t granularity;
};

// PowerCuts repeats random writes, a power cut at a random change of the medium, and a replay: the
// replay always finds a prefix of what was written, with everything that was promised.
class PowerCuts {
 public:
  PowerCuts(const Weather& weather, uint64_t seed)
      : weather_(weather),
        dice_(seed),
        cut_dice_(seed + 1),
        sim_(weather.model),
        scratch_(kTestPoolBytes, kExtent, sim_.Factory()),
        store_(&scratch_, weather.granularity) {
    if (weather.model == PmemSim::Model::kMsync) {
      scratch_.options()->assume_pmem = false;
      EXPECT_TRUE(scratch_.Reopen().ok());
    }
    store_.Open();
  }

  PmemSim* sim() { return &sim_; }
  size_t history_size() const { return history_.size(); }

  // Returns what went wrong, if anything.
  std::string Round() {
    constexpr Loss kLosses[] = {Loss::kDropAll, Loss::kInOrder, Loss::kTruncate, Loss::kTear,
                                Loss::kKeepAll};
    const Loss loss = kLosses[dice_.Below(5)];
    const uint64_t cut_at = sim_.changes() + dice_.Between(1, 60);
    PmemImages cut;
    size_t promised_at_cut = 0;
    std::atomic<bool> is_cut{false};
    sim_.SetChangeListener([&](uint64_t change) {  // called for one change at a time
      if (change < cut_at || is_cut) return;
      cut = sim_.AfterPowerLoss(loss, &cut_dice_);
      promised_at_cut = promised_;
      is_cut = true;
    });
    has_switched_ = false;
    while (!is_cut) Write();
    store_.Close();
    sim_.SetChangeListener({});
    scratch_.Close();
    cut.Restore();
    EXPECT_TRUE(scratch_.Reopen().ok());
    store_.Open();
    if (!store_.problem().empty()) return store_.problem();

    const std::vector<std::string>& found = store_.recovered();
    if (found.size() < promised_at_cut) return "lost what was promised";
    if (found.size() > history_.size()) return "found more than was written";
    history_.resize(found.size());
    promised_ = found.size();  // a replay makes it persistent
    return found == history_ ? "" : "found something else than was written";
  }

 private:
  void Write() {
    if (!has_switched_ && dice_.OneIn(15)) {
      has_switched_ = true;
      EXPECT_TRUE(store_.queue()->SwitchMemtable().ok());
    }
    const bool sync = dice_.OneIn(10);
    const bool is_batch = dice_.OneIn(2);
    WriteBatch batch;
    Status status;
    for (uint64_t n = is_batch ? dice_.Between(1, 5) : 1; n > 0; n--) {
      const std::string key = std::to_string(dice_.Below(1000));
      if (dice_.OneIn(8)) {
        history_.push_back(EntryText(key, kTypeDeletion, ""));
        batch.Delete(key);
        if (!is_batch) status = store_.queue()->Delete(key, sync);
      } else {
        const uint64_t limit = dice_.OneIn(30) ? 2 * kExtent : dice_.OneIn(2) ? 1500 : 50;
        const std::string value = dice_.Bytes(dice_.Below(limit));
        history_.push_back(EntryText(key, kTypeValue, value));
        batch.Put(key, value);
        if (!is_batch) status = store_.queue()->Put(key, value, sync);
      }
    }
    if (is_batch) status = store_.queue()->Write(&batch, sync);
    EXPECT_TRUE(status.ok()) << status.ToString();
    const bool is_safe =
        sync || (weather_.granularity <= 1 && weather_.model == PmemSim::Model::kCacheLines);
    if (is_safe) promised_ = history_.size();
  }

  const Weather weather_;
  Dice dice_;
  Dice cut_dice_;
  PmemSim sim_;
  ScratchPool scratch_;
  PoolLogStore store_;
  std::vector<std::string> history_;
  std::atomic<size_t> promised_{0};  // entries that must survive
  bool has_switched_ = false;
};

class PoolLogPowerTest : public testing::TestWithParam<Weather> {};

INSTANTIATE_TEST_SUITE_P(Weather, PoolLogPowerTest,
                         testing::Values(Weather{PmemSim::Model::kCacheLines, 0},
                                         Weather{PmemSim::Model::kCacheLines, 1},
                                         Weather{PmemSim::Model::kCacheLines, 4096},
                                         Weather{PmemSim::Model::kMsync, 0},
                                         Weather{PmemSim::Model::kMsync, 4096}));

TEST_P(PoolLogPowerTest, APrefixSurvivesAnyNumberOfCuts) {
  const uint64_t seed = AnnouncedSeed();
  for (int run = 0; run < Scaled(3); run++) {
    PowerCuts cuts(GetParam(), seed + run);
    for (int round = 0; round < 10; round++) {
      ASSERT_EQ("", cuts.Round()) << "run " << run << ", round " << round;
    }
  }
}

// Checks that the test detects an error.
TEST(PoolLogAlarmTest, AMissingFenceIsNoticed) {
  const uint64_t seed = AnnouncedSeed();
  for (int run = 0; run < 200; run++) {
    PowerCuts cuts({PmemSim::Model::kCacheLines, 0}, seed + run);
    for (int round = 0; round < 5; round++) {
      cuts.sim()->SkipFences(1 + round * 7, 5);
      if (!cuts.Round().empty()) return;
    }
  }
  FAIL() << "nobody noticed";
}

// An edit of the manifest may ask for it from then on, and a table may be begun after it.
TEST(PoolLogSlotTest, ANewLogSurvivesAPowerFailureAtOnce) {
  PmemSim sim(PmemSim::Model::kMsync);
  ScratchPool scratch(kTestPoolBytes, kExtent, sim.Factory());
  scratch.options()->assume_pmem = false;
  ASSERT_TRUE(scratch.Reopen().ok());
  PoolLogStore store(&scratch);
  store.Open();
  ASSERT_TRUE(store.queue()->Put("key", "value", false).ok());
  ASSERT_TRUE(store.queue()->SwitchMemtable().ok());
  Dice dice(AnnouncedSeed());
  const PmemImages left = sim.AfterPowerLoss(Loss::kDropAll, &dice);
  store.Close();
  scratch.Close();
  left.Restore();
  ASSERT_TRUE(scratch.Reopen().ok());
  EXPECT_EQ(2u, scratch.pool()->root()->Logs().size());
}

}  // namespace
}  // namespace leveldb
