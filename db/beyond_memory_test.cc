// Tests of databases whose tables do not fit into memory, as far as the process is told.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "testing/dice.h"
#include "testing/option_sets.h"
#include "testing/random_program.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "util/data_volume.h"
#include "util/file_pages.h"

namespace leveldb {
namespace {

using testkit::Dice;

class BeyondMemoryTest : public testing::Test {
 protected:
  BeyondMemoryTest() {
    others_.Set(uint64_t{1} << 60);
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    options_.max_file_size = 1 << 20;
    options_.filter_policy = filter_.get();
    options_.block_cache = cache_.get();
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, name_, &db));
    db_.reset(db);
  }

  // Removes the tables from the system's page cache; has no effect on a tmpfs.
  void LeaveMemory() const {
    std::vector<std::string> names;
    ASSERT_OK(Env::Default()->GetChildren(name_, &names));
    for (const std::string& name : names) {
      const int fd = open((name_ + "/" + name).c_str(), O_RDONLY);
      if (fd < 0) continue;
      fdatasync(fd);
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
      close(fd);
    }
  }

  // Returns the share of the tables' bytes that is in memory.
  double ShareInMemory() const {
    std::vector<std::string> names;
    EXPECT_OK(Env::Default()->GetChildren(name_, &names));
    uint64_t bytes = 0;
    uint64_t bytes_in_memory = 0;
    for (const std::string& name : names) {
      if (!name.ends_with(".ldb")) continue;
      uint64_t size = 0;
      RandomAccessFile* opened = nullptr;
      EXPECT_OK(Env::Default()->GetFileSize(name_ + "/" + name, &size));
      EXPECT_OK(Env::Default()->NewRandomAccessFile(name_ + "/" + name, &opened));
      const std::unique_ptr<RandomAccessFile> file(opened);
      bytes += size;
      bytes_in_memory += dynamic_cast<FilePages&>(*file).BytesInMemory();
    }
    EXPECT_GT(bytes, 0u);
    return static_cast<double>(bytes_in_memory) / static_cast<double>(bytes);
  }

  std::string RandomKey(Dice* dice) const { return std::to_string(100000 + dice->Below(4000)); }

  std::string RandomValue(Dice* dice) const {
    const size_t size = dice->OneIn(200) ? 100000 : dice->OneIn(20) ? 16000 : dice->Below(1000);
    return dice->OneIn(2) ? dice->Bytes(size) : dice->Text(size);
  }

  void CheckGet(const std::string& key) const {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    const auto expected = expected_.find(key);
    ASSERT_EQ(status.IsNotFound(), expected == expected_.end()) << key << " " << status.ToString();
    if (expected != expected_.end()) {
      ASSERT_TRUE(value == expected->second) << key;
    }
  }

  static void CheckEntry(const Iterator& iterator,
                         const std::pair<const std::string, std::string>& expected) {
    ASSERT_TRUE(iterator.Valid());
    ASSERT_EQ(iterator.key().ToString(), expected.first);
    ASSERT_TRUE(iterator.value().ToString() == expected.second);
  }

  // Makes some steps in one direction and then some in the other.
  void CheckScan(Dice* dice) const {
    ReadOptions options;
    options.fill_cache = dice->OneIn(2);
    options.verify_checksums = dice->OneIn(2);
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(options));
    const std::string start = RandomKey(dice);
    iterator->Seek(start);
    auto at = expected_.lower_bound(start);
    for (uint64_t left = dice->Below(500); left > 0 && at != expected_.end(); left--, ++at) {
      ASSERT_NO_FATAL_FAILURE(CheckEntry(*iterator, *at));
      iterator->Next();
    }
    if (at == expected_.end()) {
      ASSERT_FALSE(iterator->Valid());
      iterator->SeekToLast();
      if (at == expected_.begin()) return;
      --at;
    }
    for (uint64_t left = dice->Below(500); left > 0; left--) {
      ASSERT_NO_FATAL_FAILURE(CheckEntry(*iterator, *at));
      iterator->Prev();
      if (at == expected_.begin()) {
        ASSERT_FALSE(iterator->Valid());
        break;
      }
      --at;
    }
    ASSERT_OK(iterator->status());
  }

  const testkit::TempDir dir_{testkit::Medium::kDisk};
  const std::string name_ = dir_ / "db";
  DataVolume::Share others_{DataVolume::OfProcess()};
  const std::unique_ptr<const FilterPolicy> filter_{NewBloomFilterPolicy(10)};
  const std::unique_ptr<Cache> cache_{NewLRUCache(256 << 10)};
  Options options_;
  std::unique_ptr<DB> db_;
  std::map<std::string, std::string> expected_;
};

TEST_F(BeyondMemoryTest, ARandomProgramReadsWhatItWrote) {
  Dice dice(testkit::AnnouncedSeed());
  Open();
  for (int step = testkit::Scaled(20000); step > 0; step--) {
    const std::string key = RandomKey(&dice);
    if (dice.OneIn(5)) {
      ASSERT_OK(db_->Delete(WriteOptions(), key));
      expected_.erase(key);
    } else if (dice.OneIn(2)) {
      const std::string value = RandomValue(&dice);
      ASSERT_OK(db_->Put(WriteOptions(), key, value));
      expected_[key] = value;
    } else {
      ASSERT_NO_FATAL_FAILURE(CheckGet(key));
    }
    if (dice.OneIn(200)) {
      ASSERT_NO_FATAL_FAILURE(CheckScan(&dice));
    }
    if (dice.OneIn(500)) LeaveMemory();
    if (dice.OneIn(4000)) others_.Set(dice.OneIn(2) ? 0 : uint64_t{1} << 60);
    if (dice.OneIn(4000)) db_->CompactRange(nullptr, nullptr);
    if (dice.OneIn(4000)) {
      options_.compression = dice.OneIn(2) ? kNoCompression : kSnappyCompression;
      options_.filter_policy = dice.OneIn(3) ? nullptr : filter_.get();
      Open();
    }
  }
}

TEST_F(BeyondMemoryTest, EverySetOfOptionsGivesTheSameAnswers) {
  const uint64_t seed = testkit::AnnouncedSeed();
  for (const std::string& name : testkit::OptionSetNames()) {
    SCOPED_TRACE(name);
    testkit::OptionSet set = testkit::MakeOptionSet(name);
    testkit::RandomProgram program(&set, dir_ / name, seed);
    program.Run(testkit::Scaled(1000));
  }
}

TEST_F(BeyondMemoryTest, ThreadsReadWhileTablesAreReplaced) {
  const uint64_t seed = testkit::AnnouncedSeed();
  Open();
  constexpr int kKeys = 2000;
  const auto key = [](uint64_t i) { return std::to_string(100000 + i); };
  for (int i = 0; i < kKeys; i++) {
    ASSERT_OK(db_->Put(WriteOptions(), key(static_cast<uint64_t>(i)), "0"));
  }
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (uint64_t reader = 0; reader < 3; reader++) {
    readers.emplace_back([&, reader] {
      Dice dice(seed + reader);
      while (!done.load()) {
        std::string value;
        EXPECT_OK(db_->Get(ReadOptions(), key(dice.Below(kKeys)), &value));
        if (!dice.OneIn(50)) continue;
        const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
        int count = 0;
        for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) count++;
        EXPECT_EQ(count, kKeys);
      }
    });
  }
  Dice dice(seed + 100);
  for (int step = testkit::Scaled(10000); step > 0; step--) {
    EXPECT_OK(db_->Put(WriteOptions(), key(dice.Below(kKeys)), dice.Bytes(dice.Below(600))));
    if (dice.OneIn(1000)) LeaveMemory();
  }
  db_->CompactRange(nullptr, nullptr);
  done.store(true);
  for (std::thread& reader : readers) reader.join();
}

// Pages that a compaction has read and written leave the system's page cache, unless they were in
// it before. The system may keep or drop some pages for other reasons, so each check is repeated
// until it succeeds.
TEST_F(BeyondMemoryTest, JobsLeaveTheSystemsCacheAsItWas) {
  if (testkit::IsInMemory(dir_.path()) || testkit::IsPersistentMemory(dir_.path())) {
    GTEST_SKIP() << "no disk: tables are always in memory";
  }
  constexpr int kTries = 50;
  Dice dice(testkit::AnnouncedSeed());
  Open();
  for (int i = 0; i < 4000; i++) {
    ASSERT_OK(db_->Put(WriteOptions(), RandomKey(&dice), dice.Bytes(1000)));
  }
  db_->CompactRange(nullptr, nullptr);
  const auto compact_some = [&] {
    for (int i = 0; i < 4; i++) ASSERT_OK(db_->Put(WriteOptions(), RandomKey(&dice), "new"));
    db_->CompactRange(nullptr, nullptr);
  };

  bool stays_out = false;
  for (int i = 0; i < kTries && !stays_out; i++) {
    LeaveMemory();
    const bool is_out = ShareInMemory() < 0.1;
    ASSERT_NO_FATAL_FAILURE(compact_some());
    stays_out = is_out && ShareInMemory() < 0.25;
  }
  EXPECT_TRUE(stays_out);

  bool stays_in = false;
  for (int i = 0; i < kTries && !stays_in; i++) {
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    }
    const bool is_in = ShareInMemory() > 0.9;
    ASSERT_NO_FATAL_FAILURE(compact_some());
    stays_in = is_in && ShareInMemory() > 0.75;
  }
  EXPECT_TRUE(stays_in);
}

TEST_F(BeyondMemoryTest, AClosedDatabaseDoesNotCount) {
  others_.Set(0);
  Open();
  EXPECT_FALSE(DataVolume::OfProcess()->ExceedsMemory());
}

// A table that is truncated while it is open is reported as damage and raises no SIGBUS.
TEST_F(BeyondMemoryTest, ATruncatedTableIsDamage) {
  options_.compression = kNoCompression;
  Open();
  Dice dice(testkit::AnnouncedSeed());
  for (int i = 0; i < 1000; i++) {
    ASSERT_OK(db_->Put(WriteOptions(), std::to_string(100000 + i), dice.Bytes(1000)));
  }
  db_->CompactRange(nullptr, nullptr);
  std::vector<std::string> names;
  ASSERT_OK(Env::Default()->GetChildren(name_, &names));
  for (const std::string& name : names) {
    if (!name.ends_with(".ldb")) continue;
    ASSERT_EQ(truncate((name_ + "/" + name).c_str(), 8192), 0);
  }
  std::string value;
  int damaged = 0;
  for (int i = 0; i < 1000; i++) {
    const Status status = db_->Get(ReadOptions(), std::to_string(100000 + i), &value);
    if (!status.ok()) {
      EXPECT_TRUE(status.IsCorruption()) << status.ToString();
      damaged++;
    }
  }
  EXPECT_GT(damaged, 900);
}

}  // namespace
}  // namespace leveldb
