#include "leveldb/db.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "db/files/filename.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

class DbImplTest : public testing::Test {
 protected:
  DbImplTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    const Status status = DB::Open(options_, "/db", &db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    db_.reset(db);
  }

  std::vector<std::string> Tables() {
    std::vector<std::string> names;
    std::vector<std::string> tables;
    EXPECT_TRUE(env_->GetChildren("/db", &names).ok());
    for (const std::string& name : names) {
      uint64_t number;
      FileType type;
      if (ParseFileName(name, &number, &type) && type == kTableFile) {
        tables.push_back("/db/" + name);
      }
    }
    return tables;
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(DbImplTest, ACompactionDoesNotPassDamageOnUnderAGoodChecksum) {
  Open();
  const std::string good(100, 'v');
  for (int i = 0; i < 200; i++) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "key" + std::to_string(1000 + i), good).ok());
  }
  db_->CompactRange(nullptr, nullptr);
  db_.reset();
  for (const std::string& table : Tables()) {
    std::string bytes;
    ASSERT_TRUE(ReadFileToString(env_.get(), table, &bytes).ok());
    const size_t value = bytes.find(good);
    if (value == std::string::npos) continue;
    bytes[value + 50] = 'x';
    ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, table).ok());
  }
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "key1000", good).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "key1199", good).ok());
  db_->CompactRange(nullptr, nullptr);
  EXPECT_TRUE(db_->Put(WriteOptions(), "k", "v").IsCorruption());

  ReadOptions verified;
  verified.verify_checksums = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(verified));
  int shown = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    EXPECT_EQ(good, it->value().ToString()) << it->key().ToString();
    shown++;
  }
  EXPECT_TRUE(it->status().IsCorruption());
  EXPECT_GT(shown, 0);
  EXPECT_LT(shown, 200);
}

TEST_F(DbImplTest, ReadsThatNoOtherTableCouldHaveServedCompactNothing) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "z", "2").ok());
  db_->CompactRange(nullptr, nullptr);
  std::string before;
  ASSERT_TRUE(db_->GetProperty("leveldb.sstables", &before));
  std::string value;
  for (int i = 0; i < 1000; i++) {
    ASSERT_TRUE(db_->Get(ReadOptions(), "m", &value).IsNotFound());
  }
  Env::Default()->SleepForMicroseconds(50000);  // time for what must not happen
  std::string after;
  ASSERT_TRUE(db_->GetProperty("leveldb.sstables", &after));
  EXPECT_EQ(before, after);
}

TEST_F(DbImplTest, SmallWritesAfterLargeOnes) {
  Open();
  const std::string large(3 << 20, 'x');
  ASSERT_TRUE(db_->Put(WriteOptions(), "large", large).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "small", "1").ok());
  ASSERT_TRUE(db_->Delete(WriteOptions(), "small").ok());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "large", &value).ok());
  EXPECT_EQ(large, value);
  EXPECT_TRUE(db_->Get(ReadOptions(), "small", &value).IsNotFound());
}

// A forked child shares the parent's files: it may read, but must not change anything.
TEST_F(DbImplTest, AForkedChildReadsButDoesNotWrite) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::string value;
    const bool reads = db_->Get(ReadOptions(), "k", &value).ok() && value == "v";
    const bool refuses = db_->Put(WriteOptions(), "k", "w").IsIOError();
    db_->CompactRange(nullptr, nullptr);
    db_.reset();
    _exit(reads && refuses ? 0 : 1);
  }
  int exit_status = -1;
  ASSERT_EQ(child, waitpid(child, &exit_status, 0));
  EXPECT_TRUE(WIFEXITED(exit_status));
  EXPECT_EQ(0, WEXITSTATUS(exit_status));
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "k", &value).ok());
  EXPECT_TRUE(db_->Put(WriteOptions(), "k", "w").ok());
}

// In a forked child, jobs of the parent may hold the mutex forever, because they do not run there.
TEST_F(DbImplTest, AForkedChildWaitsForNoJob) {
  options_.write_buffer_size = 64 << 10;
  Open();
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < 50; i++) {
      const std::string key = "key" + std::to_string(round * 17 + i);
      ASSERT_TRUE(db_->Put(WriteOptions(), key, std::string(3000, 'v')).ok());
    }
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      db_->ReleaseSnapshot(db_->GetSnapshot());
      std::string stats;
      const bool has_stats = db_->GetProperty("leveldb.stats", &stats);
      db_->CompactRange(nullptr, nullptr);
      const bool writes = db_->Put(WriteOptions(), "k", "w").ok();
      db_.reset();
      _exit(has_stats || writes ? 1 : 0);
    }
    int exit_status = -1;
    ASSERT_EQ(child, waitpid(child, &exit_status, 0));
    ASSERT_EQ(0, exit_status) << "round " << round;
  }
}

TEST_F(DbImplTest, AFileNumberThatWouldOverflowTheCounterIsRefused) {
  Open();
  db_.reset();
  ASSERT_TRUE(WriteStringToFile(env_.get(), "", "/db/18446744073709551615.log").ok());
  DB* db = nullptr;
  EXPECT_TRUE(DB::Open(options_, "/db", &db).IsCorruption());
  EXPECT_EQ(nullptr, db);
  ASSERT_TRUE(env_->RemoveFile("/db/18446744073709551615.log").ok());
  Open();
}

}  // namespace
}  // namespace leveldb
