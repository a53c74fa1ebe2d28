// Cuts the power at a random moment: what was acknowledged as synced is present afterwards, with
// all that was written before it, and everything else that is present are whole batches. If the
// disk keeps the order of writes, the contents are a prefix of the history. Then the power is cut
// again.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr size_t kValueSizeMax = 2500;
constexpr uint64_t kBatches = 120;  // about half a megabyte: several memtables

// A disk after a power cut, and what the database had promised until then.
struct Wreck {
  std::unique_ptr<PowerEnv> disk;
  uint64_t synced;   // batches acknowledged as synced before the power cut
  uint64_t started;  // batches that writes had begun for
};

Options SmallOptions(Env* env, bool reuse_logs) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.reuse_logs = reuse_logs;
  return options;
}

// Writes a history to a disk and keeps copies of what power cuts would leave.
class Ride {
 public:
  Ride(uint64_t seed, Loss loss, bool reuse_logs)
      : dice_(seed), loss_(loss), reuse_logs_(reuse_logs), history_(dice_.Next(), kValueSizeMax) {}

  PowerEnv* disk() { return &disk_; }
  const History& history() const { return history_; }
  std::vector<Wreck>* wrecks() { return &wrecks_; }

  void Write() {
    const uint64_t changes_between_cuts = dice_.Between(10, 60);
    disk_.SetChangeListener([this, changes_between_cuts](uint64_t) {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (dice_.OneIn(changes_between_cuts)) {
        Cut();
      }
    });
    while (history_.size() < kBatches) {
      Session(dice_.Between(20, kBatches));
    }
    disk_.SetChangeListener(nullptr);
    Cut();
  }

 private:
  // Runs one session, from open to close.
  void Session(uint64_t batches) {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(SmallOptions(&disk_, reuse_logs_), "/db", &opened));
    const std::unique_ptr<DB> db(opened);
    for (uint64_t i = 0; i < batches && history_.size() < kBatches; ++i) {
      WriteOptions options;
      {
        const std::lock_guard<std::mutex> guard(mutex_);
        history_.Extend();
        options.sync = dice_.OneIn(6);
      }
      started_ = history_.size();
      WriteBatch batch = history_.Batch(started_);
      ASSERT_OK(db->Write(options, &batch));
      if (options.sync) {
        synced_ = started_.load();
      }
    }
  }

  void Cut() {
    Wreck wreck;
    wreck.synced = synced_;
    wreck.disk = disk_.AfterPowerLoss(loss_, &dice_);
    wreck.started = started_;
    wrecks_.push_back(std::move(wreck));
  }

  std::mutex mutex_;  // the listener is called by several threads
  Dice dice_;
  const Loss loss_;
  const bool reuse_logs_;
  PowerEnv disk_;
  History history_;
  std::atomic<uint64_t> started_{0};
  std::atomic<uint64_t> synced_{0};
  std::vector<Wreck> wrecks_;
};

struct Case {
  const char* name;
  Loss loss;
  bool reuse_logs;
};

// A disk that writes back its files in any order may keep a write of the new log and lose one of
// the old log, as long as neither was synced.
bool MayHaveHoles(Loss loss) {
  return loss == Loss::kTruncate || loss == Loss::kTear;
}

// Opens what is left of a database and finds which batches of the history it holds. Every synced
// batch must be among them.
Status Recover(PowerEnv* disk, const Case& tried, const History& history, uint64_t synced,
               std::set<uint64_t>* present) {
  DB* opened = nullptr;
  Status status = DB::Open(SmallOptions(disk, tried.reuse_logs), "/db", &opened);
  const std::unique_ptr<DB> db(opened);
  if (status.ok()) {
    status = history.FindBatches(db.get(), synced, present);
  }
  if (status.ok() && !MayHaveHoles(tried.loss)) {
    uint64_t count = 0;
    status = history.Check(db.get(), &count);
  }
  return status;
}

// Returns whether `all` includes `part`.
bool Includes(const std::set<uint64_t>& all, const std::set<uint64_t>& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

class PowerLoss : public ::testing::TestWithParam<Case> {};

TEST_P(PowerLoss, SyncedWritesSurvive) {
  const Case& tried = GetParam();
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(12) && !HasFailure(); ++round) {
    Ride ride(dice.Next(), tried.loss, tried.reuse_logs);
    ride.Write();
    for (const Wreck& wreck : *ride.wrecks()) {
      std::set<uint64_t> present;
      ASSERT_OK(Recover(wreck.disk.get(), tried, ride.history(), wreck.synced, &present))
          << wreck.disk->Describe();
      ASSERT_LE(present.size(), wreck.started);
    }
  }
}

TEST_P(PowerLoss, ASecondLossRightAfterTheFirstTakesNothingMore) {
  const Case& tried = GetParam();
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(4) && !HasFailure(); ++round) {
    Ride ride(dice.Next(), tried.loss, tried.reuse_logs);
    ride.Write();
    for (const Wreck& wreck : *ride.wrecks()) {
      // The recovery itself is cut at a random change, then once more at its end.
      std::unique_ptr<PowerEnv> cut_again;
      const uint64_t moment = dice.Below(40);
      wreck.disk->SetChangeListener([&](uint64_t number) {
        if (number == moment) {
          cut_again = wreck.disk->AfterPowerLoss(tried.loss, &dice);
        }
      });
      std::set<uint64_t> first;
      ASSERT_OK(Recover(wreck.disk.get(), tried, ride.history(), wreck.synced, &first));
      wreck.disk->SetChangeListener(nullptr);
      std::set<uint64_t> second;
      if (cut_again != nullptr) {
        ASSERT_OK(Recover(cut_again.get(), tried, ride.history(), wreck.synced, &second))
            << cut_again->Describe();
        ASSERT_TRUE(Includes(first, second));
      }
      const auto last = wreck.disk->AfterPowerLoss(tried.loss, &dice);
      ASSERT_OK(Recover(last.get(), tried, ride.history(), wreck.synced, &second))
          << last->Describe();
      ASSERT_TRUE(Includes(first, second));
    }
  }
}

TEST_P(PowerLoss, WorkGoesOnAfterIt) {
  const Case& tried = GetParam();
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(4) && !HasFailure(); ++round) {
    Ride ride(dice.Next(), tried.loss, tried.reuse_logs);
    ride.Write();
    for (const Wreck& wreck : *ride.wrecks()) {
      History history = ride.history();
      std::set<uint64_t> present;
      {
        DB* opened = nullptr;
        ASSERT_OK(DB::Open(SmallOptions(wreck.disk.get(), tried.reuse_logs), "/db", &opened));
        const std::unique_ptr<DB> db(opened);
        ASSERT_OK(history.FindBatches(db.get(), wreck.synced, &present));
        history.KeepOnly(present);
        for (int i = 0; i < 30; ++i) {
          history.Extend();
          WriteOptions options;
          options.sync = i == 29;
          WriteBatch batch = history.Batch(history.size());
          ASSERT_OK(db->Write(options, &batch));
        }
      }
      const auto left = wreck.disk->AfterPowerLoss(tried.loss, &dice);
      ASSERT_OK(Recover(left.get(), tried, history, history.size(), &present)) << left->Describe();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, PowerLoss,
                         ::testing::Values(Case{"EverythingUnsynced", Loss::kDropAll, false},
                                           Case{"TheLatest", Loss::kInOrder, false},
                                           Case{"TheLatestReusingLogs", Loss::kInOrder, true},
                                           Case{"RandomEnds", Loss::kTruncate, false},
                                           Case{"RandomEndsReusingLogs", Loss::kTruncate, true},
                                           Case{"TornEnds", Loss::kTear, false},
                                           Case{"TornEndsReusingLogs", Loss::kTear, true},
                                           Case{"NothingButTheProcess", Loss::kKeepAll, false}),
                         [](const auto& tried) { return tried.param.name; });

// The checks are effective: on a disk that ignores the syncs of one kind of file, they must fail
// for some of the wrecks.
class LyingDisk : public ::testing::TestWithParam<const char*> {};

TEST_P(LyingDisk, IsNoticed) {
  const Case tried = {"", Loss::kDropAll, false};
  Dice dice(AnnouncedSeed());
  int noticed = 0;
  for (int round = 0; round < 8; ++round) {
    Ride ride(dice.Next(), tried.loss, tried.reuse_logs);
    ride.disk()->IgnoreSyncsOf(GetParam());
    ride.Write();
    for (const Wreck& wreck : *ride.wrecks()) {
      std::set<uint64_t> present;
      const Status status =
          Recover(wreck.disk.get(), tried, ride.history(), wreck.synced, &present);
      noticed += status.ok() ? 0 : 1;
    }
  }
  EXPECT_GT(noticed, 0);
}

INSTANTIATE_TEST_SUITE_P(Ignoring, LyingDisk, ::testing::Values(".log", ".ldb", "MANIFEST"),
                         [](const auto& part) {
                           return std::string(part.param[0] == '.' ? part.param + 1 : part.param);
                         });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
