// Compactions are triggered when they should be, keep what they must and free what they can.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class Compaction : public ::testing::Test {
 protected:
  Compaction() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.write_buffer_size = 64 << 10;
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, dir_ / "db", &db));
    db_.reset(db);
  }

  int FilesAt(int level) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &value));
    return std::stoi(value);
  }

  uint64_t SizeOfEverything() {
    const Range everything("", "\xff\xff\xff");
    uint64_t size = 0;
    db_->GetApproximateSizes(&everything, 1, &size);
    return size;
  }

  static std::string Key(uint64_t number) {
    char key[24];
    std::snprintf(key, sizeof(key), "%010llu", static_cast<unsigned long long>(number));
    return key;
  }

  // Waits for background jobs, long enough for any machine; the caller checks the result.
  template <typename Condition>
  static bool Eventually(const Condition& condition) {
    for (int i = 0; i < 60000; ++i) {
      if (condition()) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  const TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(Compaction, LevelZeroNeverKeepsManyFiles) {
  Open();
  Dice dice(7);
  for (int i = 0; i < 6000; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), Key(dice.Below(100000)), dice.Bytes(500)));
    ASSERT_LE(FilesAt(0), 36);
  }
  EXPECT_TRUE(Eventually([this] { return FilesAt(0) < 4; })) << FilesAt(0);
}

TEST_F(Compaction, OfARangeLeavesItInOneLevel) {
  options_.max_file_size = 1 << 20;
  Open();
  Dice dice(8);
  for (int i = 0; i < 8000; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), Key(dice.Below(100000)), dice.Bytes(500)));
  }
  Contents before;
  ASSERT_OK(ReadContents(db_.get(), &before));
  db_->CompactRange(nullptr, nullptr);
  int levels_in_use = 0;
  for (int level = 0; level < 7; ++level) {
    levels_in_use += FilesAt(level) > 0 ? 1 : 0;
  }
  EXPECT_EQ(levels_in_use, 1);
  Contents after;
  ASSERT_OK(ReadContents(db_.get(), &after));
  EXPECT_TRUE(after == before);
}

// The limit includes index and filter.
TEST_F(Compaction, WritesNoTableThatIsLongerThanIsAllowed) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  options_.filter_policy = bloom.get();
  options_.max_file_size = 1 << 20;
  Open();
  Dice dice(12);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), Key(dice.Below(100000)), dice.Bytes(dice.Below(400))));
  }
  db_->CompactRange(nullptr, nullptr);
  db_.reset();  // obsolete files are removed in the background
  std::vector<std::string> names;
  ASSERT_OK(options_.env->GetChildren(dir_ / "db", &names));
  for (const std::string& name : names) {
    if (name.find(".ldb") == std::string::npos) continue;
    uint64_t bytes = 0;
    ASSERT_OK(options_.env->GetFileSize(dir_ / "db/" + name, &bytes));
    EXPECT_LE(bytes, options_.max_file_size);
  }
}

TEST_F(Compaction, FreesWhatWasOverwrittenAndDeleted) {
  Open();
  Dice dice(9);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 500; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), Key(i), dice.Bytes(500)));
    }
  }
  db_->CompactRange(nullptr, nullptr);
  EXPECT_LT(SizeOfEverything(), 500u * 600);
  for (int i = 0; i < 500; ++i) {
    ASSERT_OK(db_->Delete(WriteOptions(), Key(i)));
  }
  db_->CompactRange(nullptr, nullptr);
  EXPECT_EQ(SizeOfEverything(), 0u);
}

TEST_F(Compaction, KeepsWhatASnapshotSees) {
  Open();
  Dice dice(10);
  ASSERT_OK(db_->Put(WriteOptions(), "key", "first"));
  const Snapshot* const first = db_->GetSnapshot();
  ASSERT_OK(db_->Put(WriteOptions(), "key", "second"));
  const Snapshot* const second = db_->GetSnapshot();
  ASSERT_OK(db_->Delete(WriteOptions(), "key"));
  const Snapshot* const deleted = db_->GetSnapshot();
  ASSERT_OK(db_->Put(WriteOptions(), "key", "third"));

  const auto see = [this](const Snapshot* snapshot) {
    ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    const Status status = db_->Get(options, "key", &value);
    return status.IsNotFound() ? std::string("nothing") : value;
  };
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(see(first), "first");
    EXPECT_EQ(see(second), "second");
    EXPECT_EQ(see(deleted), "nothing");
    EXPECT_EQ(see(nullptr), "third");
    for (int i = 0; i < 300; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), Key(i), dice.Bytes(500)));
    }
    db_->CompactRange(nullptr, nullptr);
  }
  db_->ReleaseSnapshot(second);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_EQ(see(first), "first");
  EXPECT_EQ(see(deleted), "nothing");
  db_->ReleaseSnapshot(first);
  db_->ReleaseSnapshot(deleted);
}

TEST_F(Compaction, IsTriggeredByReadsThatSeekInVain) {
  Open();
  // Makes two files that overlap, the newer above the older.
  const auto flush = [this] {
    // A range that nothing overlaps flushes the memtable and compacts nothing.
    const Slice none("zzz");
    db_->CompactRange(&none, &none);
  };
  for (int layer = 0; layer < 2; ++layer) {
    for (int i = 0; i < 40; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), Key(2 * i + layer), std::string(500, 'v')));
    }
    flush();
  }
  const auto files_by_level = [this] {
    std::string shape;
    for (int level = 0; level < 7; ++level) {
      shape += std::to_string(FilesAt(level)) + ",";
    }
    return shape;
  };
  const std::string before = files_by_level();
  // Each Get reads the upper file in vain and finds the key in the lower one.
  std::string value;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_OK(db_->Get(ReadOptions(), Key(2 * (i % 38) + 2), &value));
  }
  EXPECT_TRUE(Eventually([&] { return files_by_level() != before; })) << before;
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
