// Several writers with histories of their own, readers, scans, compactions and property reads run
// at once: no reader ever sees the progress of a writer decrease, and in the end every history is
// complete.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kWriters = 3;
constexpr size_t kValueSizeMax = 800;

std::string Prefix(int writer) {
  return "w" + std::to_string(writer) + "/";
}

// Returns the progress of a writer according to the database.
uint64_t Progress(DB* db, const ReadOptions& options, int writer) {
  std::string value;
  const Status status = db->Get(options, Prefix(writer) + kProgressKey, &value);
  EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
  return status.ok() ? std::stoull(value) : 0;
}

class WritersAndReaders : public ::testing::TestWithParam<bool> {
 protected:
  WritersAndReaders() : seed_(AnnouncedSeed()), bloom_(NewBloomFilterPolicy(10)) {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    options_.filter_policy = GetParam() ? bloom_.get() : nullptr;
    options_.compression = GetParam() ? kSnappyCompression : kNoCompression;
    Dice dice(seed_);
    for (int writer = 0; writer < kWriters; ++writer) {
      histories_.emplace_back(dice.Next(), kValueSizeMax, Prefix(writer));
    }
    Open();
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, dir_ / "db", &db));
    db_.reset(db);
  }

  void Write(int writer, int batches) {
    Dice dice(seed_ + 100 + static_cast<uint64_t>(writer));
    History& history = histories_[static_cast<size_t>(writer)];
    for (int i = 0; i < batches; ++i) {
      history.Extend();
      WriteBatch batch = history.Batch(history.size());
      WriteOptions options;
      options.sync = dice.OneIn(100);
      ASSERT_OK(db_->Write(options, &batch));
      // A writer reads its own writes.
      if (dice.OneIn(10)) {
        ASSERT_EQ(Progress(db_.get(), ReadOptions(), writer), history.size());
      }
    }
  }

  void CheckHistories() {
    for (const History& history : histories_) {
      uint64_t count = 0;
      ASSERT_OK(history.Check(db_.get(), &count));
      ASSERT_EQ(count, history.size());
    }
  }

  const TempDir dir_;
  const uint64_t seed_;
  const std::unique_ptr<const FilterPolicy> bloom_;
  Options options_;
  std::vector<History> histories_;
  std::unique_ptr<DB> db_;
};

TEST_P(WritersAndReaders, AllAtOnce) {
  Threads threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.Run([this, writer] { Write(writer, Scaled(1500)); });
  }
  std::vector<uint64_t> seen(kWriters, 0);
  threads.Repeat([this, &seen] {
    for (int writer = 0; writer < kWriters; ++writer) {
      const uint64_t now = Progress(db_.get(), ReadOptions(), writer);
      ASSERT_GE(now, seen[static_cast<size_t>(writer)]);
      seen[static_cast<size_t>(writer)] = now;
    }
  });
  threads.Repeat([this] {
    // Point reads and scans in both directions agree under a snapshot.
    ReadOptions options;
    options.snapshot = db_->GetSnapshot();
    Contents contents;
    EXPECT_OK(ReadContents(db_.get(), &contents, options.snapshot));
    for (int writer = 0; writer < kWriters; ++writer) {
      const uint64_t first = Progress(db_.get(), options, writer);
      const uint64_t second = Progress(db_.get(), options, writer);
      EXPECT_EQ(first, second);
    }
    db_->ReleaseSnapshot(options.snapshot);
  });
  int turn = 0;
  threads.Repeat([this, &turn] {
    const std::string start = Prefix(turn % kWriters);
    const std::string limit = Prefix(turn % kWriters + 1);
    const Slice start_slice(start);
    const Slice limit_slice(limit);
    db_->CompactRange(&start_slice, &limit_slice);
    std::string text;
    EXPECT_TRUE(db_->GetProperty("leveldb.stats", &text));
    EXPECT_TRUE(db_->GetProperty("leveldb.sstables", &text));
    EXPECT_TRUE(db_->GetProperty("leveldb.approximate-memory-usage", &text));
    const Range range(start, limit);
    uint64_t size = 0;
    db_->GetApproximateSizes(&range, 1, &size);
    ++turn;
  });
  threads.Join();
  CheckHistories();
  Open();
  CheckHistories();
}

TEST_P(WritersAndReaders, WithAReopenNowAndThen) {
  // Closes the database in the middle of flushes and compactions.
  for (int session = 0; session < 6; ++session) {
    Threads threads;
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.Run([this, writer] { Write(writer, Scaled(150)); });
    }
    threads.Join();
    Open();
    CheckHistories();
  }
}

INSTANTIATE_TEST_SUITE_P(With, WritersAndReaders, ::testing::Bool(), [](const auto& bloom) {
  return bloom.param ? "BloomAndSnappy" : "Neither";
});

}  // namespace
}  // namespace testkit
}  // namespace leveldb
