#include "leveldb/pmem.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <thread>

#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/write_batch.h"
#include "pmem/media/pool.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Contents;
using testkit::Says;

class PmemOpenTest : public ::testing::Test {
 protected:
  PmemOpenTest() {
    EXPECT_OK(Env::Default()->CreateDir(pools_));
    options_.create_if_missing = true;
    pmem_.path = pools_;
    pmem_.size = 16 << 20;
    pmem_.assume_pmem = testkit::IsInMemory(pools_);
  }

  Status TryOpen() {
    PmemDB* opened = nullptr;
    db_.reset();
    const Status status = PmemOpen(options_, pmem_, path_, &opened);
    db_.reset(opened);
    return status;
  }

  void Open() { ASSERT_OK(TryOpen()); }

  void OpenPlain() {
    DB* opened = nullptr;
    db_.reset();
    ASSERT_OK(DB::Open(options_, path_, &opened));
    db_.reset(opened);
  }

  void Put(const std::string& key, const std::string& value) {
    ASSERT_OK(db_->Put(WriteOptions(), key, value));
    model_[key] = value;
  }

  void Delete(const std::string& key) {
    ASSERT_OK(db_->Delete(WriteOptions(), key));
    model_.erase(key);
  }

  // Random writes of all kinds of sizes.
  void Write(int operations) {
    for (int i = 0; i < operations; i++) {
      const std::string key = "key" + std::to_string(dice_.Below(300));
      if (dice_.OneIn(5)) {
        Delete(key);
      } else {
        Put(key, dice_.Bytes(dice_.OneIn(3) ? dice_.Below(5000) : dice_.Below(200)));
      }
    }
  }

  void ExpectModel() {
    Contents contents;
    ASSERT_OK(testkit::ReadContents(db_.get(), &contents));
    EXPECT_EQ(Contents(model_.begin(), model_.end()), contents);
  }

  void ExpectSound() {
    db_.reset();
    std::string report;
    EXPECT_OK(CheckDB(path_, options_, pmem_, &report)) << report;
  }

  bool HasTier() {
    std::string text;
    return db_->GetProperty("leveldb.pmem", &text);
  }

  size_t CountPools() const {
    std::vector<std::string> paths;
    EXPECT_OK(Pool::ListPools(pools_, &paths));
    return paths.size();
  }

  const testkit::TempDir dir_{testkit::Medium::kMemory};
  const std::string pools_ = CanonicalPath(dir_.path()) + "/pools";
  const std::string path_ = CanonicalPath(dir_.path()) + "/db";
  Options options_;
  PmemOptions pmem_;
  testkit::Dice dice_{testkit::AnnouncedSeed()};
  std::map<std::string, std::string> model_;
  std::unique_ptr<DB> db_;
};

TEST_F(PmemOpenTest, WritesSurviveACleanCloseAndAPlainOpenFindsThem) {
  Open();
  EXPECT_TRUE(HasTier());
  Write(1000);
  ExpectModel();
  Open();
  ExpectModel();
  Write(200);
  OpenPlain();
  EXPECT_TRUE(HasTier());
  ExpectModel();
  ExpectSound();
}

TEST_F(PmemOpenTest, ManyOpensInARow) {
  Open();
  for (int i = 0; i < testkit::Scaled(20); i++) {
    Write(static_cast<int>(dice_.Below(20)));
    Open();
    ExpectModel();
  }
  ExpectSound();
}

// Ends a process in the middle of its work, and checks the contents of the database.
TEST_F(PmemOpenTest, WritesSurviveTheEndOfTheProcess) {
  for (int round = 0; round < testkit::Scaled(5); round++) {
    const pid_t child = fork();
    if (child == 0) {
      if (!TryOpen().ok()) _exit(1);
      for (int i = 0; i < 300; i++) {
        const std::string key = std::to_string(round) + "-" + std::to_string(i);
        if (!db_->Put(WriteOptions(), key, key + std::string(i * 10, 'x')).ok()) _exit(2);
      }
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    ASSERT_EQ(0, status);
    for (int i = 0; i < 300; i++) {
      const std::string key = std::to_string(round) + "-" + std::to_string(i);
      model_[key] = key + std::string(i * 10, 'x');
    }
    if (round % 2 == 0) continue;
    Open();
    ExpectModel();
    db_.reset();
  }
  Open();
  ExpectModel();
  ExpectSound();
}

TEST_F(PmemOpenTest, TheTierIsTurnedOnOverUnflushedLogFiles) {
  OpenPlain();
  EXPECT_FALSE(HasTier());
  Write(500);
  pmem_.require = false;
  Open();
  EXPECT_FALSE(HasTier());
  EXPECT_EQ(0u, CountPools());
  Write(10);
  pmem_.require = true;
  EXPECT_TRUE(Says(TryOpen(), "PmemOptions::convert"));
  pmem_.convert = true;
  Open();
  EXPECT_TRUE(HasTier());
  EXPECT_TRUE(testkit::FileNamesEnding(path_, ".log").empty());
  ExpectModel();
  Write(500);
  OpenPlain();
  ExpectModel();
  ExpectSound();
}

TEST_F(PmemOpenTest, TheEnvironmentGivesFreshDatabasesPools) {
  ASSERT_EQ(0, setenv("LEVELDB_PMEM_PATH", pools_.c_str(), 1));
  ASSERT_EQ(0, setenv("LEVELDB_PMEM_SIZE", "16M", 1));
  OpenPlain();
  EXPECT_TRUE(HasTier());
  Write(100);
  ASSERT_EQ(0, unsetenv("LEVELDB_PMEM_PATH"));
  ASSERT_EQ(0, unsetenv("LEVELDB_PMEM_SIZE"));
  OpenPlain();
  EXPECT_TRUE(HasTier());
  ExpectModel();
}

TEST_F(PmemOpenTest, AnEnvironmentThatGivesNoPool) {
  ASSERT_EQ(0, setenv("LEVELDB_PMEM_PATH", (pools_ + "/none").c_str(), 1));
  OpenPlain();
  EXPECT_FALSE(HasTier());
  Write(10);
  db_.reset();
  EXPECT_NE(std::string::npos, testkit::ReadFile(path_ + "/LOG").find("opened without"));
  ASSERT_OK(DestroyDB(path_, options_));
  ASSERT_EQ(0, setenv("LEVELDB_PMEM_REQUIRE", "1", 1));
  DB* opened = nullptr;
  EXPECT_TRUE(Says(DB::Open(options_, path_, &opened), "no pool can be made"));
  ASSERT_EQ(0, unsetenv("LEVELDB_PMEM_REQUIRE"));
  ASSERT_EQ(0, unsetenv("LEVELDB_PMEM_PATH"));
}

TEST_F(PmemOpenTest, ABackupIsAPlainDatabase) {
  Open();
  Write(1000);
  db_.reset();
  ASSERT_OK(BackupDB(path_, options_, pmem_, dir_ / "copy"));
  EXPECT_TRUE(Says(BackupDB(path_, options_, pmem_, dir_ / "copy"), "holds a database already"));
  EXPECT_FALSE(Env::Default()->FileExists(dir_ / "copy/PMEM"));
  DB* opened = nullptr;
  Options options;
  ASSERT_OK(DB::Open(options, dir_ / "copy", &opened));
  db_.reset(opened);
  ExpectModel();
  Open();
  ExpectModel();
}

TEST_F(PmemOpenTest, DestroyRemovesThePoolAndSucceedsWhenItIsGone) {
  Open();
  Write(10);
  EXPECT_EQ(1u, CountPools());
  EXPECT_FALSE(DestroyDB(path_, options_).ok());  // it is open
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_EQ(0u, CountPools());
  EXPECT_FALSE(Env::Default()->FileExists(path_));
  model_.clear();
  Open();
  Write(10);
  db_.reset();
  PmemFile file;
  ASSERT_OK(ReadPmemFile(Env::Default(), path_, &file));
  ASSERT_OK(Pool::Remove(file.pool));
  EXPECT_TRUE(Says(TryOpen(), "bushstore repair --without-pool"));
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_FALSE(Env::Default()->FileExists(path_));
}

TEST_F(PmemOpenTest, DestroyingACopyLeavesThePoolOfTheOriginal) {
  Open();
  Write(10);
  db_.reset();
  testkit::CopyDir(path_, dir_ / "copy");
  ASSERT_OK(DestroyDB(dir_ / "copy", options_));
  EXPECT_EQ(1u, CountPools());
  Open();
  ExpectModel();
}

TEST_F(PmemOpenTest, RepairMakesAPlainDatabaseOfEverything) {
  Open();
  Write(1000);
  Open();
  Write(1000);
  db_.reset();
  ASSERT_OK(RepairDB(path_, options_));
  EXPECT_FALSE(Env::Default()->FileExists(path_ + "/PMEM"));
  std::vector<PmemPoolInfo> pools;
  ASSERT_OK(DescribePools(pools_, &pools));
  ASSERT_EQ(1u, pools.size());
  EXPECT_TRUE(pools[0].is_set_aside);
  OpenPlain();
  EXPECT_FALSE(HasTier());
  ExpectModel();
}

TEST_F(PmemOpenTest, RepairWithoutThePoolTellsWhatIsLost) {
  Open();
  Write(100);
  db_.reset();
  PmemFile file;
  ASSERT_OK(ReadPmemFile(Env::Default(), path_, &file));
  ASSERT_OK(Pool::Remove(file.pool));
  EXPECT_TRUE(Says(RepairDB(path_, options_), "bushstore repair --without-pool " + path_));
  std::string lost;
  ASSERT_OK(RepairDBWithoutPool(path_, options_, &lost));
  EXPECT_NE(std::string::npos, lost.find("all writes that were in logs in the pool only"));
  OpenPlain();
  EXPECT_FALSE(HasTier());
  model_.clear();
  ExpectModel();
}

TEST_F(PmemOpenTest, ADrainLeavesAPlainDatabase) {
  Open();
  Write(2000);
  ASSERT_OK(static_cast<PmemDB*>(db_.get())->Drain());
  EXPECT_FALSE(HasTier());
  EXPECT_EQ(0u, CountPools());
  EXPECT_FALSE(Env::Default()->FileExists(path_ + "/PMEM"));
  ExpectModel();
  Write(500);
  ExpectModel();
  ASSERT_OK(static_cast<PmemDB*>(db_.get())->Drain());
  OpenPlain();
  EXPECT_FALSE(HasTier());
  ExpectModel();
  ExpectSound();
}

TEST_F(PmemOpenTest, DrainingOffline) {
  Open();
  Write(2000);
  db_.reset();
  ASSERT_OK(DrainDB(path_, options_, pmem_));
  ASSERT_OK(DrainDB(path_, options_));
  EXPECT_EQ(0u, CountPools());
  OpenPlain();
  EXPECT_FALSE(HasTier());
  ExpectModel();
}

TEST_F(PmemOpenTest, AnEmptyDatabaseIsDrained) {
  Open();
  ASSERT_OK(static_cast<PmemDB*>(db_.get())->Drain());
  Put("key", "value");
  OpenPlain();
  EXPECT_FALSE(HasTier());
  ExpectModel();
}

// During a drain, reads and writes continue, and pinned states do not change.
TEST_F(PmemOpenTest, ADrainUnderWay) {
  options_.write_buffer_size = 64 << 10;
  Open();
  Write(2000);
  const Snapshot* const snapshot = db_->GetSnapshot();
  Contents before(model_.begin(), model_.end());
  std::unique_ptr<Iterator> entries(db_->NewIterator(ReadOptions()));
  std::atomic<bool> done{false};
  std::thread drain([&] {
    EXPECT_OK(static_cast<PmemDB*>(db_.get())->Drain());
    done = true;
  });
  while (!done) Write(20);
  drain.join();
  Write(500);
  size_t i = 0;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next(), i++) {
    ASSERT_LT(i, before.size());
    EXPECT_EQ(before[i].first, entries->key().ToString());
    EXPECT_EQ(before[i].second, entries->value().ToString());
  }
  EXPECT_OK(entries->status());
  EXPECT_EQ(before.size(), i);
  entries.reset();
  Contents at_snapshot;
  EXPECT_OK(testkit::ReadContents(db_.get(), &at_snapshot, snapshot));
  EXPECT_EQ(before, at_snapshot);
  db_->ReleaseSnapshot(snapshot);
  ExpectModel();
}

TEST_F(PmemOpenTest, TwoDatabasesInOneProcess) {
  Open();
  Write(100);
  PmemDB* other = nullptr;
  ASSERT_OK(PmemOpen(options_, pmem_, dir_ / "other", &other));
  const std::unique_ptr<DB> owned(other);
  ASSERT_OK(other->Put(WriteOptions(), "other", "value"));
  EXPECT_EQ(2u, CountPools());
  ExpectModel();
  EXPECT_TRUE(TryOpen().ok());
  ExpectModel();
}

TEST_F(PmemOpenTest, AForkedChildIsTold) {
  Open();
  Put("key", std::string(1000, 'v'));
  const pid_t child = fork();
  if (child == 0) {
    std::string value;
    const Status read = db_->Get(ReadOptions(), "key", &value);
    const Status written = db_->Put(WriteOptions(), "key", "child");
    const std::unique_ptr<Iterator> entries(db_->NewIterator(ReadOptions()));
    entries->SeekToFirst();
    const bool refused = read.IsIOError() && written.IsIOError() && !entries->Valid();
    db_.reset();
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  Put("key2", "parent");
  Open();
  ExpectModel();
}

}  // namespace
}  // namespace leveldb
