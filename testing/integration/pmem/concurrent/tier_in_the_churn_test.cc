// Writers, readers, iterators, snapshots, compactions and property reads run at once over a pool
// that is always too small: flushes, merges, value-log GC and spills run at the same time, and in
// the end the database leaves the tier while everything continues.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/threads.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kWriters = 2;
constexpr size_t kValueSizeMax = 3000;

struct Case {
  const char* name;
  double spill_start;
  double gc_ratio;
  uint64_t wal_persist_bytes;
};

std::string Prefix(int writer) {
  return "w" + std::to_string(writer) + "/";
}

class TierInTheChurn : public ::testing::TestWithParam<Case> {
 protected:
  TierInTheChurn() : seed_(AnnouncedSeed()) {
    store_.pmem.spill_start = GetParam().spill_start;
    store_.pmem.gc_ratio = GetParam().gc_ratio;
    store_.pmem.wal_persist_bytes = GetParam().wal_persist_bytes;
    store_.pmem.convert = true;
    Dice dice(seed_);
    for (int writer = 0; writer < kWriters; ++writer) {
      histories_.emplace_back(dice.Next(), kValueSizeMax, Prefix(writer));
    }
    EXPECT_OK(store_.Open());
  }

  uint64_t Progress(const ReadOptions& options, int writer) {
    std::string value;
    const Status status = store_.db()->Get(options, Prefix(writer) + kProgressKey, &value);
    EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
    return status.ok() ? std::stoull(value) : 0;
  }

  void Write(int writer, int batches) {
    Dice dice(seed_ + 100 + static_cast<uint64_t>(writer));
    History& history = histories_[static_cast<size_t>(writer)];
    for (int i = 0; i < batches; ++i) {
      history.Extend();
      WriteBatch batch = history.Batch(history.size());
      WriteOptions options;
      options.sync = dice.OneIn(50);
      ASSERT_OK(store_.db()->Write(options, &batch));
      if (dice.OneIn(10)) {
        ASSERT_EQ(Progress(ReadOptions(), writer), history.size());
      }
    }
  }

  // Starts threads that read in every way until the writers are done.
  void Read(Threads* threads) {
    threads->Repeat([this, seen = std::make_shared<std::vector<uint64_t>>(kWriters, 0)] {
      for (int writer = 0; writer < kWriters; ++writer) {
        const uint64_t now = Progress(ReadOptions(), writer);
        ASSERT_GE(now, (*seen)[static_cast<size_t>(writer)]);
        (*seen)[static_cast<size_t>(writer)] = now;
      }
    });
    threads->Repeat([this] {
      ReadOptions options;
      options.snapshot = store_.db()->GetSnapshot();
      Contents contents;
      EXPECT_OK(ReadContents(store_.db(), &contents, options.snapshot));
      for (int writer = 0; writer < kWriters; ++writer) {
        EXPECT_EQ(Progress(options, writer), Progress(options, writer));
      }
      store_.db()->ReleaseSnapshot(options.snapshot);
    });
    threads->Repeat([this, turn = std::make_shared<int>(0)] {
      const std::string start = Prefix(*turn % kWriters);
      const std::string limit = Prefix(*turn % kWriters + 1);
      const Slice start_slice(start);
      const Slice limit_slice(limit);
      store_.db()->CompactRange(&start_slice, &limit_slice);
      std::string text;
      store_.db()->GetProperty("leveldb.pmem", &text);
      EXPECT_TRUE(store_.db()->GetProperty("leveldb.stats", &text));
      EXPECT_TRUE(store_.db()->GetProperty("leveldb.sstables", &text));
      EXPECT_TRUE(store_.db()->GetProperty("leveldb.approximate-memory-usage", &text));
      const Range range(start, limit);
      uint64_t size = 0;
      store_.db()->GetApproximateSizes(&range, 1, &size);
      ++*turn;
    });
  }

  void CheckHistories() {
    for (const History& history : histories_) {
      uint64_t count = 0;
      ASSERT_OK(history.Check(store_.db(), &count));
      ASSERT_EQ(count, history.size());
    }
  }

  const uint64_t seed_;
  TierStore store_{kTinyPool};
  std::vector<History> histories_;
};

TEST_P(TierInTheChurn, AllAtOnce) {
  Threads threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.Run([this, writer] { Write(writer, Scaled(1000)); });
  }
  Read(&threads);
  threads.Join();
  CheckHistories();
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  CheckHistories();
}

TEST_P(TierInTheChurn, WithAReopenNowAndThen) {
  for (int session = 0; session < 5; ++session) {
    Threads threads;
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.Run([this, writer] { Write(writer, Scaled(150)); });
    }
    threads.Join();
    ASSERT_OK(store_.Open());
    CheckHistories();
  }
}

TEST_P(TierInTheChurn, AndTheTierIsLeft) {
  for (int round = 0; round < 2; ++round) {
    Threads threads;
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.Run([this, writer] { Write(writer, Scaled(300)); });
    }
    threads.Run([this] { ASSERT_OK(store_.pmem_db()->Drain()); });
    Read(&threads);
    threads.Join();
    CheckHistories();
    ASSERT_OK(store_.Open());
    CheckHistories();
  }
}

INSTANTIATE_TEST_SUITE_P(With, TierInTheChurn,
                         ::testing::Values(Case{"Defaults", 0.85, 0.5, 0},
                                           Case{"EverythingSpilled", 0.1, 0.5, 0},
                                           Case{"EverythingCollectedAndCoarse", 0.85, 0.01, 8192}),
                         [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
