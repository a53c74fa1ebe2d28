// The properties, in the form that other programs parse.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "leveldb/db.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class Properties : public ::testing::Test {
 protected:
  Properties() {
    Options options;
    options.create_if_missing = true;
    options.compression = kNoCompression;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options, dir_ / "db", &db));
    db_.reset(db);
  }

  std::string Ask(const std::string& name) {
    std::string value = "left over";
    EXPECT_TRUE(db_->GetProperty(name, &value)) << name;
    return value;
  }

  void Fill(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), std::to_string(i), std::string(1000, 'v')));
    }
  }

  int TableFiles() {
    int files = 0;
    for (int level = 0; level < 7; ++level) {
      files += std::stoi(Ask("leveldb.num-files-at-level" + std::to_string(level)));
    }
    return files;
  }

  const TempDir dir_;
  std::unique_ptr<DB> db_;
};

TEST_F(Properties, UnknownOnesAreRefusedAndLeaveNothing) {
  for (const char* name :
       {"", "leveldb", "leveldb.", "leveldb.nothing", "leveldb.num-files-at-level",
        "leveldb.num-files-at-level7", "leveldb.num-files-at-level-1",
        "leveldb.num-files-at-levelx", "leveldb.num-files-at-level0x",
        "leveldb.num-files-at-level99999999999999999999", "rocksdb.stats", "leveldb.stats2"}) {
    std::string value = "left over";
    EXPECT_FALSE(db_->GetProperty(name, &value)) << name;
    EXPECT_EQ(value, "") << name;
  }
}

TEST_F(Properties, NumbersOfFiles) {
  EXPECT_EQ(TableFiles(), 0);
  Fill(100);
  EXPECT_EQ(TableFiles(), 0);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_EQ(TableFiles(), 1);
}

TEST_F(Properties, MemoryUsageIsADecimalThatGrows) {
  const uint64_t empty = std::stoull(Ask("leveldb.approximate-memory-usage"));
  Fill(500);
  const uint64_t filled = std::stoull(Ask("leveldb.approximate-memory-usage"));
  EXPECT_GE(filled, empty + 500 * 1000);
  EXPECT_EQ(Ask("leveldb.approximate-memory-usage").find_first_not_of("0123456789"),
            std::string::npos);
}

// The sum of the kinds is the total.
TEST_F(Properties, MemoryIsListedByKind) {
  Fill(500);
  db_->CompactRange(nullptr, nullptr);
  std::string value;
  ASSERT_TRUE(db_->Get(ReadOptions(), "1", &value).ok());
  uint64_t sum = 0;
  std::map<std::string, uint64_t> kinds;
  std::istringstream in(Ask("leveldb.memory"));
  for (std::string name; in >> name >> kinds[name];) sum += kinds[name];
  EXPECT_EQ(sum, std::stoull(Ask("leveldb.approximate-memory-usage")));
  EXPECT_GT(kinds["table-indexes"], 0u);
  EXPECT_EQ(kinds.count("memtables"), 1u);
  EXPECT_EQ(kinds.count("block-cache"), 1u);
  EXPECT_EQ(kinds.count("table-filters"), 1u);
}

TEST_F(Properties, StatsHaveThreeHeadingLinesAndOnePerLevelInUse) {
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(Ask("leveldb.stats")), 3);
  Fill(300);
  db_->CompactRange(nullptr, nullptr);
  const std::string stats = Ask("leveldb.stats");
  EXPECT_GT(lines(stats), 3);
  // The columns: level, files, size MB, time s, read MB, write MB.
  std::istringstream in(stats);
  std::string line;
  for (int number = 0; std::getline(in, line); ++number) {
    if (number < 3) {
      continue;
    }
    std::istringstream columns(line);
    double values[6];
    for (double& value : values) {
      ASSERT_TRUE(columns >> value) << line;
    }
    std::string more;
    EXPECT_FALSE(columns >> more) << line;
    EXPECT_LT(values[0], 7) << line;
    EXPECT_GE(values[1], 1) << line;
  }
}

TEST_F(Properties, SstablesNameEveryTable) {
  Fill(300);
  db_->CompactRange(nullptr, nullptr);
  const std::string tables = Ask("leveldb.sstables");
  for (const std::string& name : FileNamesEnding(dir_ / "db", ".ldb")) {
    const std::string number = std::to_string(std::stoull(name));
    EXPECT_NE(tables.find(" " + number + ":"), std::string::npos) << tables;
  }
  EXPECT_NE(tables.find("'0' @"), std::string::npos) << tables;
  EXPECT_NE(tables.find("'99' @"), std::string::npos) << tables;
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
