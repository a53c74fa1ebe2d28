// Files that are no longer needed are removed when the call that made them obsolete returns. Those
// that an iterator reads stay as long as the iterator.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKeys = 300;

class FreeSpace : public ::testing::Test {
 protected:
  FreeSpace() : dice_(AnnouncedSeed()) {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    options_.max_file_size = 1 << 20;
    options_.compression = kNoCompression;
    Open();
  }

  void Open() {
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, path(), &db));
    db_.reset(db);
  }

  std::string path() const { return dir_ / "db"; }

  void Overwrite(int times) {
    for (int n = 0; n < times * kKeys; ++n) {
      const std::string key = "key" + std::to_string(dice_.Below(kKeys));
      ASSERT_OK(db_->Put(WriteOptions(), key, std::string(2000, 'v')));
    }
  }

  uint64_t Tables() const {
    return FileNamesEnding(path(), ".ldb").size() + FileNamesEnding(path(), ".sst").size();
  }

  uint64_t TablesInUse() {
    uint64_t tables = 0;
    for (int level = 0; level < 7; ++level) {
      std::string text;
      EXPECT_TRUE(db_->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &text));
      tables += std::stoull(text);
    }
    return tables;
  }

  // REQUIRES: nothing is being written.
  void ExpectNoUselessFile() {
    EXPECT_EQ(Tables(), TablesInUse());
    EXPECT_EQ(FileNamesEnding(path(), ".log").size(), 1u);
    int manifests = 0;
    for (const std::string& name : FileNames(path())) manifests += name.rfind("MANIFEST", 0) == 0;
    EXPECT_EQ(manifests, 1);
  }

  const TempDir dir_;
  Dice dice_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(FreeSpace, IsThereWhenCompactRangeReturns) {
  for (int round = 0; round < Scaled(20); ++round) {
    Overwrite(4);
    db_->CompactRange(nullptr, nullptr);
    ExpectNoUselessFile();
  }
}

TEST_F(FreeSpace, IsThereWhenASnapshotAndAnIteratorAreGone) {
  for (int round = 0; round < Scaled(10); ++round) {
    const Snapshot* const snapshot = db_->GetSnapshot();
    std::unique_ptr<Iterator> entries(db_->NewIterator(ReadOptions()));
    entries->SeekToFirst();
    Overwrite(4);
    db_->CompactRange(nullptr, nullptr);
    entries.reset();
    db_->ReleaseSnapshot(snapshot);
    db_->CompactRange(nullptr, nullptr);
    ExpectNoUselessFile();
  }
}

TEST_F(FreeSpace, OfWhatAnIteratorReadsIsNotTaken) {
  Overwrite(4);
  db_->CompactRange(nullptr, nullptr);
  std::unique_ptr<Iterator> entries(db_->NewIterator(ReadOptions()));
  Overwrite(4);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_GT(Tables(), TablesInUse());
  int found = 0;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) found++;
  ASSERT_OK(entries->status());
  EXPECT_GT(found, kKeys / 2);
  entries.reset();
  db_->CompactRange(nullptr, nullptr);
  ExpectNoUselessFile();
}

// Concurrent reads may hold replaced files for a moment.
TEST_F(FreeSpace, IsThereWhileOthersRead) {
  Overwrite(1);
  Threads threads;
  for (int reader = 0; reader < 2; ++reader) {
    threads.Repeat([this] {
      std::string value;
      const Status status = db_->Get(ReadOptions(), "key7", &value);
      ASSERT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
    });
  }
  threads.Run([this] {
    for (int round = 0; round < Scaled(10); ++round) {
      Overwrite(2);
      db_->CompactRange(nullptr, nullptr);
      ExpectNoUselessFile();
    }
  });
}

thread_local bool blocks_in_reads = false;

// A compaction does not wait indefinitely for a long read; what that holds is removed later.
TEST_F(FreeSpace, OfWhatALongReadHoldsIsTakenLater) {
  Overwrite(4);
  ASSERT_OK(db_->Put(WriteOptions(), "key99", std::string(2000, 'v')));
  db_->CompactRange(nullptr, nullptr);
  db_.reset();
  FaultEnv env(Env::Default());
  std::promise<void> begun;
  std::promise<void> release;
  env.SetListener([&, released = release.get_future().share()](Call call) {
    if (call != Call::kRead || !blocks_in_reads) return;
    blocks_in_reads = false;
    begun.set_value();
    released.wait();
  });
  options_.env = &env;
  Open();
  std::string value;
  static_cast<void>(db_->Get(ReadOptions(), "key1", &value));  // this opens the table
  std::thread reader([this] {
    blocks_in_reads = true;
    std::string read;
    EXPECT_OK(db_->Get(ReadOptions(), "key99", &read));
    EXPECT_EQ(read, std::string(2000, 'v'));
  });
  begun.get_future().wait();
  Overwrite(4);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_GT(Tables(), TablesInUse());
  release.set_value();
  reader.join();
  db_->CompactRange(nullptr, nullptr);
  ExpectNoUselessFile();
  db_.reset();
}

TEST_F(FreeSpace, IsThereWhenDestroyDBReturns) {
  Overwrite(4);
  db_.reset();
  ASSERT_OK(DestroyDB(path(), options_));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
