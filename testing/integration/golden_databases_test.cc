// Directories written by LevelDB 1.23 in the past: we read exactly what their dumps say, continue
// to write in them, and lose nothing of either by reopening and compacting.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "testing/comparators.h"
#include "testing/contents.h"
#include "testing/model.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

struct Golden {
  const char* name;
  bool bloom;
  bool reverse;
};

class GoldenDatabases : public ::testing::TestWithParam<Golden> {
 protected:
  GoldenDatabases() : bloom_(NewBloomFilterPolicy(10)) {
    CopyDir(TestData(std::string("golden/") + GetParam().name), dir_ / "db");
    dump_ = ReadFile(TestData(std::string("golden/") + GetParam().name + ".dump"));
    if (GetParam().bloom) {
      options_.filter_policy = bloom_.get();
    }
    if (GetParam().reverse) {
      options_.comparator = ReverseComparator();
    }
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, dir_ / "db", &db));
    db_.reset(db);
  }

  Contents Read() {
    Contents contents;
    EXPECT_OK(ReadContents(db_.get(), &contents));
    return contents;
  }

  const TempDir dir_;
  const std::unique_ptr<const FilterPolicy> bloom_;
  Options options_;
  std::string dump_;
  std::unique_ptr<DB> db_;
};

TEST_P(GoldenDatabases, HoldWhatTheirDumpsSay) {
  Open();
  EXPECT_TRUE(DumpText(Read()) == dump_);
}

TEST_P(GoldenDatabases, AreReadWithParanoidChecksAndReusedLogs) {
  options_.paranoid_checks = true;
  options_.reuse_logs = true;
  Open();
  EXPECT_TRUE(DumpText(Read()) == dump_);
  Open();
  EXPECT_TRUE(DumpText(Read()) == dump_);
}

TEST_P(GoldenDatabases, AreReadWithTheOldSuffixOfTables) {
  for (const std::string& name : FileNamesEnding(dir_ / "db", ".ldb")) {
    const std::string path = dir_ / ("db/" + name);
    WriteFile(path.substr(0, path.size() - 4) + ".sst", ReadFile(path));
    ASSERT_EQ(std::remove(path.c_str()), 0);
  }
  Open();
  EXPECT_TRUE(DumpText(Read()) == dump_);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_TRUE(DumpText(Read()) == dump_);
}

TEST_P(GoldenDatabases, AreWrittenOn) {
  Open();
  Model model(options_.comparator);
  const Contents before = Read();
  for (const auto& [key, value] : before) {
    model.Put(key, value);
  }
  for (size_t i = 0; i < before.size(); i += 3) {
    ASSERT_OK(db_->Delete(WriteOptions(), before[i].first));
    model.Delete(before[i].first);
  }
  for (size_t i = 1; i < before.size(); i += 3) {
    ASSERT_OK(db_->Put(WriteOptions(), before[i].first, "new"));
    model.Put(before[i].first, "new");
  }
  for (int i = 0; i < 2000; ++i) {
    const std::string key = "added" + std::to_string(i * 7919 % 2000);
    ASSERT_OK(db_->Put(WriteOptions(), key, std::string(300, 'v')));
    model.Put(key, std::string(300, 'v'));
  }
  const Contents expected = model.All(model.sequence());
  EXPECT_TRUE(Read() == expected);
  Open();
  EXPECT_TRUE(Read() == expected);
  db_->CompactRange(nullptr, nullptr);
  EXPECT_TRUE(Read() == expected);
  Open();
  EXPECT_TRUE(Read() == expected);
}

INSTANTIATE_TEST_SUITE_P(Of, GoldenDatabases,
                         ::testing::Values(Golden{"db0", false, false}, Golden{"db1", true, false},
                                           Golden{"db2", false, false}, Golden{"db3", true, true}),
                         [](const auto& golden) { return golden.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
