// A database many times larger than its pool: it spills to tables in steps, keeps the newest data
// in the pool, and everything can be read all the time.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class Spill : public ::testing::Test {
 protected:
  Spill() : dice_(AnnouncedSeed()), store_(kTinyPool) {}

  // Writes `count` random keys, some deletions among them, reading some back.
  void Write(int count, uint64_t keys) {
    for (int i = 0; i < count; ++i) {
      const std::string key = "key" + std::to_string(dice_.Below(keys));
      if (dice_.OneIn(10)) {
        ASSERT_OK(store_.db()->Delete(WriteOptions(), key));
        expected_.erase(key);
      } else {
        const size_t size = dice_.OneIn(2) ? dice_.Below(250) : dice_.Below(4000);
        std::string& value = expected_[key] = dice_.Bytes(size);
        ASSERT_OK(store_.db()->Put(WriteOptions(), key, value));
      }
      const std::string other = "key" + std::to_string(dice_.Below(keys));
      std::string value;
      const Status status = store_.db()->Get(ReadOptions(), other, &value);
      const auto found = expected_.find(other);
      ASSERT_EQ(status.ok(), found != expected_.end()) << other << " " << status.ToString();
      ASSERT_TRUE(!status.ok() || value == found->second) << other;
    }
  }

  void CheckAll() {
    Contents contents;
    ASSERT_OK(ReadContents(store_.db(), &contents));
    ASSERT_EQ(contents.size(), expected_.size());
    ASSERT_TRUE(contents == Contents(expected_.begin(), expected_.end()));
  }

  Dice dice_;
  TierStore store_;
  std::map<std::string, std::string> expected_;
};

TEST_F(Spill, GoesOnWhileEverythingCanBeRead) {
  ASSERT_OK(store_.Open());
  for (int session = 0; session < 3; ++session) {
    Write(std::max<int>(Scaled(6000), 1500), 20000);  // enough to spill
    CheckAll();
    ASSERT_OK(store_.Open());
    CheckAll();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_FALSE(FileNamesEnding(store_.path(), ".ldb").empty());
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  store_.db()->CompactRange(nullptr, nullptr);
  CheckAll();
  ASSERT_OK(store_.Check());
}

TEST_F(Spill, LeavesThePoolUsedBetweenItsBounds) {
  // Spills go in steps, not the whole deepest level at once: after the first spill the pool never
  // becomes empty.
  TierStore store;
  store.options.write_buffer_size = 1 << 20;
  ASSERT_OK(store.Open());
  uint64_t least = ~uint64_t{0};
  const std::string value = dice_.Bytes(2000);
  const auto full = static_cast<uint64_t>(store.pmem.spill_start * kSmallPool);
  for (int i = 0; i < 60000; ++i) {
    const std::string key = "key" + std::to_string(dice_.Below(1000000));
    ASSERT_OK(store.db()->Put(WriteOptions(), key, value));
    if (i % 100 != 0 || store.Metric("spills") == 0) {
      continue;
    }
    // A writer that fills the pool leaves no space for value-log GC; then spills continue until
    // there is some.
    while (store.Metric("pool-used-bytes") > full) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    least = std::min(least, store.Metric("pool-used-bytes"));
  }
  EXPECT_GT(store.Metric("spills"), 1u);
  EXPECT_GT(least, kSmallPool / 4);
}

TEST_F(Spill, PutsIntoTablesNothingThatOthersCouldNotRead) {
  if (!HaveStockLibrary()) {
    GTEST_SKIP() << "this system has no libleveldb.so.1d of its own (package libleveldb1d)";
  }
  ASSERT_OK(store_.Open());
  Write(Scaled(8000), 10000);
  ASSERT_OK(store_.pmem_db()->Drain());
  store_.Close();
  WriteFile(store_.dir() / "expected", DumpText(Contents(expected_.begin(), expected_.end())));
  const Finished parsed = RunParseCheck(store_.path(), store_.dir() / "expected", false);
  EXPECT_EQ(parsed.code, 0) << parsed.output;
  const Finished dumped =
      RunDriver(Library::kStock, {store_.path(), "dump", store_.dir() / "dump"});
  ASSERT_EQ(dumped.code, 0) << dumped.output;
  EXPECT_TRUE(ReadFile(store_.dir() / "dump") == ReadFile(store_.dir() / "expected"));
}

TEST_F(Spill, InterruptedByACloseIsGoneOnWith) {
  for (int session = 0; session < 30; ++session) {
    ASSERT_OK(store_.Open());
    Write(300, 20000);
    ASSERT_FALSE(HasFailure()) << session;
  }
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  CheckAll();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
