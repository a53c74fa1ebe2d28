// The info log: LOG, LOG.old, a logger supplied by the user, and the messages about failures.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/fault_env.h"
#include "testing/power_env.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class CollectingLogger : public Logger {
 public:
  void Logv(const char* format, std::va_list arguments) override {
    char line[1000];
    std::vsnprintf(line, sizeof(line), format, arguments);
    const std::lock_guard<std::mutex> guard(mutex_);
    text_ += std::string(line) + "\n";
  }

  std::string text() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

TEST(InfoLog, IsKeptBesideTheOneOfTheSessionBefore) {
  const TempDir dir;
  Options options;
  options.create_if_missing = true;
  for (int session = 0; session < 3; ++session) {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options, dir / "db", &opened));
    const std::unique_ptr<DB> db(opened);
    for (int i = 0; i < 50; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), std::to_string(i), "value"));
    }
    db->CompactRange(nullptr, nullptr);
  }
  EXPECT_FALSE(ReadFile(dir / "db/LOG").empty());
  EXPECT_FALSE(ReadFile(dir / "db/LOG.old").empty());
  EXPECT_NE(ReadFile(dir / "db/LOG"), ReadFile(dir / "db/LOG.old"));
}

TEST(InfoLog, GoesToTheLoggerOfTheUser) {
  const TempDir dir;
  CollectingLogger logger;
  Options options;
  options.create_if_missing = true;
  options.info_log = &logger;
  {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options, dir / "db", &opened));
    const std::unique_ptr<DB> db(opened);
    ASSERT_OK(db->Put(WriteOptions(), "key", "value"));
    db->CompactRange(nullptr, nullptr);
  }
  EXPECT_FALSE(logger.text().empty());
  const std::vector<std::string> names = FileNames(dir / "db");
  EXPECT_EQ(std::count(names.begin(), names.end(), "LOG"), 0);
}

TEST(InfoLog, SaysWhatFailedAndWhere) {
  PowerEnv disk;
  FaultEnv env(&disk);
  CollectingLogger logger;
  Options options;
  options.env = &env;
  options.create_if_missing = true;
  options.info_log = &logger;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, "/db", &opened));
  const std::unique_ptr<DB> db(opened);
  ASSERT_OK(db->Put(WriteOptions(), "key", std::string(10000, 'v')));
  Fault fault;
  fault.call = Call::kAppend;
  fault.lasting = true;
  fault.text = "No space left on device";
  fault.only_names_with = ".ldb";
  env.Inject(fault);
  db->CompactRange(nullptr, nullptr);
  EXPECT_GT(env.failures(), 0u);
  EXPECT_NE(logger.text().find("No space left on device"), std::string::npos) << logger.text();
  EXPECT_NE(logger.text().find(".ldb"), std::string::npos) << logger.text();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
