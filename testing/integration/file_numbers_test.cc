// The files of a database: numbers only increase, files that are no longer needed are removed,
// foreign files are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class FileNumbers : public ::testing::Test {
 protected:
  FileNumbers() {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    Open();
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, path_, &db));
    db_.reset(db);
  }

  void Fill(const std::string& value) {
    for (int i = 0; i < 200; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), "key" + std::to_string(i), value));
    }
  }

  // Returns the numbers of all numbered files.
  std::set<uint64_t> Numbers() {
    std::set<uint64_t> numbers;
    for (const std::string& name : FileNames(path_)) {
      if (name.find("MANIFEST-") == 0) {
        numbers.insert(std::stoull(name.substr(9)));
      } else if (name[0] >= '0' && name[0] <= '9') {
        numbers.insert(std::stoull(name));
      }
    }
    return numbers;
  }

  uint64_t TablesInVersion() {
    uint64_t tables = 0;
    for (int level = 0; level < 7; ++level) {
      std::string value;
      EXPECT_TRUE(db_->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &value));
      tables += std::stoull(value);
    }
    return tables;
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "db";
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(FileNumbers, NeverComeBack) {
  uint64_t highest_ever = 0;
  std::set<uint64_t> gone;
  std::set<uint64_t> before = Numbers();
  for (int session = 0; session < 6; ++session) {
    Fill(std::string(1000, static_cast<char>('a' + session)));
    db_->CompactRange(nullptr, nullptr);
    Open();
    const std::set<uint64_t> now = Numbers();
    for (const uint64_t number : before) {
      if (now.count(number) == 0) {
        gone.insert(number);
      }
    }
    for (const uint64_t number : now) {
      EXPECT_EQ(gone.count(number), 0u) << number << " was used before";
    }
    EXPECT_GT(*now.rbegin(), highest_ever);
    highest_ever = *now.rbegin();
    before = now;
  }
}

TEST_F(FileNumbers, OfObsoleteFilesDisappear) {
  for (int round = 0; round < 5; ++round) {
    Fill(std::string(1000, static_cast<char>('a' + round)));
    db_->CompactRange(nullptr, nullptr);
  }
  Open();
  db_->CompactRange(nullptr, nullptr);
  const uint64_t tables = TablesInVersion();
  db_.reset();
  EXPECT_EQ(FileNamesEnding(path_, ".ldb").size(), tables);
  EXPECT_EQ(FileNamesEnding(path_, ".log").size(), 1u);
  EXPECT_EQ(FileNamesEnding(path_, ".dbtmp").size(), 0u);
  const std::vector<std::string> names = FileNames(path_);
  EXPECT_EQ(std::count_if(names.begin(), names.end(),
                          [](const std::string& name) { return name.find("MANIFEST") == 0; }),
            1);
  EXPECT_TRUE(std::binary_search(names.begin(), names.end(), "CURRENT"));
  EXPECT_TRUE(std::binary_search(names.begin(), names.end(), "LOCK"));
  EXPECT_TRUE(std::binary_search(names.begin(), names.end(), "LOG"));
  EXPECT_TRUE(std::binary_search(names.begin(), names.end(), "LOG.old"));
}

TEST_F(FileNumbers, OfLeftoversAreRemovedAtOpenAndForeignFilesStay) {
  Fill(std::string(1000, 'v'));
  db_.reset();
  const std::vector<std::string> foreign = {"notes.txt", "000999.blob", "999999",
                                            "x.ldb",     "MANIFEST-",   "000999.log.bak"};
  for (const std::string& name : foreign) {
    WriteFile(path_ + "/" + name, "mine");
  }
  const std::vector<std::string> leftovers = {"000998.ldb", "000997.dbtmp", "000996.sst"};
  for (const std::string& name : leftovers) {
    WriteFile(path_ + "/" + name, "junk");
  }
  Open();
  for (const std::string& name : foreign) {
    EXPECT_EQ(ReadFile(path_ + "/" + name), "mine");
  }
  const std::vector<std::string> names = FileNames(path_);
  for (const std::string& name : leftovers) {
    EXPECT_FALSE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
  Contents contents;
  ASSERT_OK(ReadContents(db_.get(), &contents));
  EXPECT_EQ(contents.size(), 200u);
}

TEST_F(FileNumbers, ALogNewerThanTheManifestKnowsOfIsReplayedAndNotOverwritten) {
  Fill("first");
  db_.reset();
  const std::vector<std::string> logs = FileNamesEnding(path_, ".log");
  ASSERT_FALSE(logs.empty());
  // Simulates a crash between the creation of a new log and the edit that names it.
  const std::string bytes = ReadFile(path_ + "/" + logs.back());
  WriteFile(path_ + "/001000.log", bytes);
  Open();
  EXPECT_GT(*Numbers().rbegin(), 1000u);
  Fill("second");
  Open();
  Contents contents;
  ASSERT_OK(ReadContents(db_.get(), &contents));
  ASSERT_EQ(contents.size(), 200u);
  EXPECT_EQ(contents[0].second, "second");
}

TEST_F(FileNumbers, GrowPastSixDigits) {
  db_.reset();
  const std::vector<std::string> logs = FileNamesEnding(path_, ".log");
  WriteFile(path_ + "/1234567.log", ReadFile(path_ + "/" + logs.back()));
  Open();
  EXPECT_GT(*Numbers().rbegin(), 1234567u);
  Fill(std::string(1000, 'v'));
  db_->CompactRange(nullptr, nullptr);
  Open();
  Contents contents;
  ASSERT_OK(ReadContents(db_.get(), &contents));
  EXPECT_EQ(contents.size(), 200u);
  bool long_table = false;
  for (const std::string& name : FileNamesEnding(path_, ".ldb")) {
    long_table = long_table || name.size() == std::string("1234568.ldb").size();
  }
  EXPECT_TRUE(long_table);
}

TEST_F(FileNumbers, OfAFreshDatabaseAreThoseOfLevelDB) {
  EXPECT_EQ(FileNamesEnding(path_, ".log"), std::vector<std::string>{"000003.log"});
  EXPECT_EQ(ReadFile(path_ + "/CURRENT"), "MANIFEST-000002\n");
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
