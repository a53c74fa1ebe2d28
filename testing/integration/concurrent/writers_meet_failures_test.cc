// Many writers run at once when the disk becomes full or the power is cut: no writer hangs, and
// none receives a wrong answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/history.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr size_t kWriters = 4;
constexpr size_t kValueSizeMax = 1500;

Options SmallOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  return options;
}

std::vector<History> MakeHistories(Dice* dice) {
  std::vector<History> histories;
  for (size_t writer = 0; writer < kWriters; ++writer) {
    histories.emplace_back(dice->Next(), kValueSizeMax, "w" + std::to_string(writer) + "/");
  }
  return histories;
}

TEST(WritersMeetFailures, AFullDiskReachesThemAll) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(20); ++round) {
    PowerEnv disk;
    FaultEnv env(&disk);
    std::vector<History> histories = MakeHistories(&dice);
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(SmallOptions(&env), "/db", &opened));
    std::unique_ptr<DB> db(opened);
    Fault fault;
    fault.call = dice.OneIn(2) ? Call::kAppend : Call::kSync;
    fault.only_names_with = dice.OneIn(2) ? ".ldb" : "";
    fault.at = dice.Between(1, fault.call == Call::kSync ? 4 : 40);
    fault.lasting = true;
    fault.half_written = dice.OneIn(2);
    fault.text = "No space left on device";
    env.Inject(fault);
    Threads threads;
    for (History& history : histories) {
      threads.Run([&db, &history] {
        for (int i = 0; i < 3000; ++i) {
          history.Extend();
          WriteBatch batch = history.Batch(history.size());
          WriteOptions options;
          options.sync = i % 50 == 0;
          const Status status = db->Write(options, &batch);
          if (!status.ok()) {
            EXPECT_TRUE(Says(status, "No space left on device"));
            return;
          }
        }
        ADD_FAILURE() << "the disk was full, and nobody said so";
      });
    }
    threads.Repeat([&db] {
      std::string value;
      const Status status = db->Get(ReadOptions(), kProgressKey, &value);
      EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
    });
    threads.Join();
    env.Heal();
    db.reset();
    ASSERT_OK(DB::Open(SmallOptions(&env), "/db", &opened));
    db.reset(opened);
    for (const History& history : histories) {
      uint64_t count = 0;
      ASSERT_OK(history.Check(db.get(), &count));
      ASSERT_GE(count + 1, history.size()) << "only the write that failed may be missing";
    }
  }
}

// When a synced write returns, everything acknowledged to any thread before it began is safe, too.
TEST(WritersMeetFailures, ASyncedWriteKeepsWhatTheOthersWroteBefore) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(12); ++round) {
    PowerEnv disk;
    std::vector<History> histories = MakeHistories(&dice);
    std::mutex mutex;  // guards the two vectors, and the dice while the writers run
    std::vector<uint64_t> acknowledged(kWriters, 0);
    std::vector<uint64_t> safe(kWriters, 0);
    struct Wreck {
      std::unique_ptr<PowerEnv> disk;
      std::vector<uint64_t> safe;
    };
    std::vector<Wreck> wrecks;
    disk.SetChangeListener([&](uint64_t) {
      const std::lock_guard<std::mutex> guard(mutex);
      if (dice.OneIn(60)) {
        std::vector<uint64_t> safe_now = safe;
        wrecks.push_back(Wreck{disk.AfterPowerLoss(Loss::kTear, &dice), std::move(safe_now)});
      }
    });
    {
      DB* opened = nullptr;
      ASSERT_OK(DB::Open(SmallOptions(&disk), "/db", &opened));
      const std::unique_ptr<DB> db(opened);
      Threads threads;
      for (size_t writer = 0; writer < kWriters; ++writer) {
        threads.Run([&, writer] {
          History& history = histories[writer];
          for (int i = 0; i < 120; ++i) {
            history.Extend();
            WriteBatch batch = history.Batch(history.size());
            WriteOptions options;
            std::vector<uint64_t> before;
            {
              const std::lock_guard<std::mutex> guard(mutex);
              options.sync = dice.OneIn(10);
              before = acknowledged;
            }
            ASSERT_OK(db->Write(options, &batch));
            const std::lock_guard<std::mutex> guard(mutex);
            acknowledged[writer] = history.size();
            before[writer] = history.size();
            for (size_t other = 0; options.sync && other < kWriters; ++other) {
              safe[other] = std::max(safe[other], before[other]);
            }
          }
        });
      }
      threads.Join();
    }
    disk.SetChangeListener(nullptr);
    for (const Wreck& wreck : wrecks) {
      DB* opened = nullptr;
      ASSERT_OK(DB::Open(SmallOptions(wreck.disk.get()), "/db", &opened));
      const std::unique_ptr<DB> db(opened);
      for (size_t writer = 0; writer < kWriters; ++writer) {
        std::set<uint64_t> present;
        ASSERT_OK(histories[writer].FindBatches(db.get(), wreck.safe[writer], &present))
            << wreck.disk->Describe();
      }
    }
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
