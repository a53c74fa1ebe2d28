// Tests power cuts while several threads write to a log in the pool: a prefix of the writes of each
// thread is found, with all that had been acknowledged to it.
//
// Not for ThreadSanitizer: the image after a power cut is copied from memory that other threads
// write to.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
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

class PowerCuts {
 public:
  explicit PowerCuts(uint64_t seed)
      : dice_(seed), cut_dice_(seed + 1), scratch_(kTestPoolBytes, kExtent, sim_.Factory()) {
    store_.Open();
  }

  std::string Round() {
    constexpr Loss kLosses[] = {Loss::kDropAll, Loss::kInOrder, Loss::kTruncate, Loss::kTear,
                                Loss::kKeepAll};
    const Loss loss = kLosses[dice_.Below(5)];
    const uint64_t cut_at = sim_.changes() + dice_.Between(1, 150);
    PmemImages cut;
    size_t promised_at_cut[kThreads] = {};
    std::atomic<bool> is_cut{false};
    sim_.SetChangeListener([&](uint64_t change) {
      if (change != cut_at) return;  // only one thread sees this number
      for (int t = 0; t < kThreads; t++) promised_at_cut[t] = promised_[t];
      cut = sim_.AfterPowerLoss(loss, &cut_dice_);
      is_cut = true;
    });
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; t++) {
      threads.emplace_back([this, t, &is_cut, seed = dice_.Next()] {
        for (Dice dice(seed); !is_cut;) Write(t, &dice);
      });
    }
    for (std::thread& thread : threads) thread.join();
    store_.Close();
    sim_.SetChangeListener({});
    scratch_.Close();
    cut.Restore();
    EXPECT_TRUE(scratch_.Reopen().ok());
    store_.Open();
    if (!store_.problem().empty()) return store_.problem();

    size_t found[kThreads] = {};
    for (const std::string& entry : store_.recovered()) {
      const size_t t = static_cast<size_t>(entry[0] - '0');
      if (entry != EntryOf(t, found[t])) return "found " + entry + " out of its order";
      found[t]++;
    }
    for (int t = 0; t < kThreads; t++) {
      if (found[t] < promised_at_cut[t]) return "lost what was promised to a thread";
      promised_[t] = found[t];
    }
    return "";
  }

 private:
  static constexpr int kThreads = 3;  // more than there are shards

  // Returns small values, which are in the log, and large ones, which are separated.
  static std::string ValueOf(size_t number) {
    return std::string(number % 3 == 0 ? 300 + number % 1000 : number % 40, 'v');
  }
  static std::string KeyOf(size_t t, size_t number) {
    return std::to_string(t) + "." + std::to_string(number);
  }
  static std::string EntryOf(size_t t, size_t number) {
    return EntryText(KeyOf(t, number), kTypeValue, ValueOf(number));
  }

  void Write(int t, Dice* dice) {
    size_t next = promised_[t];
    const bool sync = dice->OneIn(10);
    Status status;
    if (dice->OneIn(2)) {
      status = store_.queue()->Put(KeyOf(t, next), ValueOf(next), sync);
      next++;
    } else {
      WriteBatch batch;
      for (uint64_t n = dice->OneIn(2) ? dice->Between(2, 5) : 1; n > 0; n--, next++) {
        batch.Put(KeyOf(t, next), ValueOf(next));
      }
      status = store_.queue()->Write(&batch, sync);
    }
    EXPECT_TRUE(status.ok()) << status.ToString();
    promised_[t] = next;
  }

  Dice dice_;
  Dice cut_dice_;
  PmemSim sim_;
  ScratchPool scratch_;
  PoolLogStore store_{&scratch_};
  std::atomic<size_t> promised_[kThreads]{};  // entries of each thread that must survive
};

TEST(PoolLogShardsTest, APrefixOfEachThreadSurvivesAnyNumberOfCuts) {
  const uint64_t seed = AnnouncedSeed();
  for (int run = 0; run < Scaled(5); run++) {
    PowerCuts cuts(seed + run);
    for (int round = 0; round < 10; round++) {
      ASSERT_EQ("", cuts.Round()) << "run " << run << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace leveldb
