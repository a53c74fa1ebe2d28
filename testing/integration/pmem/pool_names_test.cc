// Pools at paths with every printable character: they are made, grow, are found again, and leave
// nothing. A control character is refused, and the error names it.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

// Returns names with each printable ASCII character that a name can have, first, last and between;
// and others.
std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (char c = ' '; c <= '~'; ++c) {
    if (c == '/') continue;
    const std::string text(1, c);
    names.push_back(text + "a" + text + text + "b" + text);
  }
  const char* const others[] = {
      "f\u00fcr",    "\u6570\u636e", "\u0434\u0430\u043d", "\U0001f332", "a\u00a0b",
      "a\u3000b",    "e\u0301",      "\u05d0\u05d1",       "# a",        " #",
      "PMEMPOOLSET", "8G",           "OPTION SINGLEHDR",   "-",          "~"};
  for (const char* const other : others) {
    names.push_back(other);
  }
  return names;
}

class PoolNames : public ::testing::Test {
 protected:
  // Makes a pool, writes, and opens the database again, also by its file PMEM.
  void Use(const std::string& path) {
    store_.pmem.path = path;
    ASSERT_OK(store_.Open()) << path;
    ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "value"));
    ASSERT_OK(store_.OpenPlainly()) << path;
    std::string value;
    ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
    EXPECT_EQ(value, "value");
    std::vector<PmemPoolInfo> pools;
    ASSERT_OK(DescribePools(path, &pools));
    ASSERT_EQ(pools.size(), 1u);
    EXPECT_EQ(pools[0].problem, "") << path;
    store_.Close();
    ASSERT_OK(DestroyDB(store_.path(), store_.options));
  }

  TierStore store_{kTinyPool};
};

TEST_F(PoolNames, OfDirectoriesMayHaveEveryCharacter) {
  for (const std::string& name : Names()) {
    SCOPED_TRACE(name);
    const std::string path = store_.pools() + "/" + name;
    ASSERT_TRUE(std::filesystem::create_directory(path));
    Use(path);
    EXPECT_TRUE(std::filesystem::is_empty(path));
    if (HasFatalFailure()) return;
  }
}

TEST_F(PoolNames, OfFilesMayHaveEveryCharacter) {
  for (const std::string& name : Names()) {
    SCOPED_TRACE(name);
    Use(store_.pools() + "/" + name);
    if (HasFatalFailure()) return;
  }
}

TEST_F(PoolNames, StayWhenThePoolGrowsAndTheProcessIsAnother) {
  store_.options.write_buffer_size = 4 << 20;
  store_.pmem.size = 160 << 20;
  store_.pmem.spill = false;
  store_.pmem.path = store_.pools() + "/a #1 b";
  ASSERT_TRUE(std::filesystem::create_directory(store_.pmem.path));
  ASSERT_OK(store_.Open());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), std::to_string(i), std::string(100000, 'v')));
    if (i == 500) {
      ASSERT_OK(store_.Open());
    }
  }
  std::vector<PmemPoolInfo> pools;
  ASSERT_OK(DescribePools(store_.pmem.path, &pools));
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_GT(pools[0].size, uint64_t{90} << 20);
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.pmem_db()->Drain());
  store_.Close();
  EXPECT_TRUE(std::filesystem::is_empty(store_.pmem.path));
}

TEST_F(PoolNames, WithAControlCharacterAreRefusedByName) {
  store_.pmem.path = store_.pools() + "/a\tb";
  ASSERT_TRUE(std::filesystem::create_directory(store_.pmem.path));
  const Status status = store_.Open();
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_TRUE(Says(status, "'\\x09'"));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
