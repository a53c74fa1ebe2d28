// Bad blocks below the pool of a database: how the open, the list of pools and the repair handle
// them.
#include "pmem/media/bad_blocks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/pmem.h"
#include "pmem/media/bad_block_contents.h"
#include "pmem/media/pool.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace {

using testkit::TierStore;

constexpr uint64_t kPage = 4096;
constexpr int kEntries = 4000;

std::string Key(int i) {
  return "key" + std::to_string(100000 + i);
}

std::string Value(int i) {
  return std::string(static_cast<size_t>(i % 7 == 0 ? 2000 : 100), static_cast<char>('a' + i % 26));
}

class BadBlocksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store_.options.write_buffer_size = 128 << 10;
    ASSERT_OK(store_.Open());
    for (int i = 0; i < kEntries; i++) {
      ASSERT_OK(store_.db()->Put(WriteOptions(), Key(i), Value(i)));
    }
    store_.db()->CompactRange(nullptr, nullptr);
    for (int i = 0; i < kEntries; i += 10) {
      ASSERT_OK(store_.db()->Put(WriteOptions(), Key(i), Value(i)));
    }
    store_.Close();
    std::vector<PmemPoolInfo> pools;
    ASSERT_OK(DescribePools(store_.path(), &pools));
    ASSERT_EQ(1u, pools.size());
    EXPECT_EQ("", pools[0].problem);
    pool_ = pools[0].path;
    extent_size_ = pools[0].extent_size;
  }

  // Returns the third page of each extent whose contents, as described, begin with `contents`.
  std::vector<ByteRange> PagesOf(const std::string& contents) {
    std::vector<ByteRange> found;
    PoolOptions options;
    options.path = pool_;
    std::unique_ptr<Pool> pool;
    EXPECT_OK(Pool::OpenForSalvage(options, nullptr, &pool));
    for (PoolOffset extent = 0; pool != nullptr && extent < pool->reserved_bytes();
         extent += extent_size_) {
      const PoolOffset page = extent + 2 * kPage;
      if (ContentsAt(*pool, page).compare(0, contents.size(), contents) == 0) {
        found.push_back({page, page + kPage});
      }
    }
    return found;
  }

  // Returns the number of entries after a repair, and checks that none is wrong.
  int CountEntries() {
    DB* opened = nullptr;
    EXPECT_OK(DB::Open(store_.options, store_.path(), &opened));
    const std::unique_ptr<DB> db(opened);
    int count = 0;
    std::string value;
    for (int i = 0; db != nullptr && i < kEntries; i++) {
      if (!db->Get(ReadOptions(), Key(i), &value).ok()) continue;
      EXPECT_EQ(Value(i), value) << i;
      count++;
    }
    return count;
  }

  TierStore store_{testkit::kTinyPool};
  std::string pool_;
  uint64_t extent_size_ = 0;
};

TEST_F(BadBlocksTest, InFreeSpaceTheDatabaseIsOpened) {
  const std::vector<ByteRange> free = PagesOf("free space");
  ASSERT_FALSE(free.empty());
  const PretendedBadRanges pretended({free.back()});
  ASSERT_OK(store_.Open());
  std::string value;
  ASSERT_OK(store_.db()->Get(ReadOptions(), Key(1), &value));
  store_.Close();
  EXPECT_NE(std::string::npos, testkit::ReadFile(store_.path() + "/LOG").find("bad blocks"));
  std::vector<PmemPoolInfo> pools;
  ASSERT_OK(DescribePools(store_.path(), &pools));
  ASSERT_EQ(1u, pools.size());
  ASSERT_EQ(1u, pools[0].bad_ranges.size());
  EXPECT_EQ(free.back().begin, pools[0].bad_ranges[0].offset);
  EXPECT_EQ(kPage, pools[0].bad_ranges[0].bytes);
  EXPECT_EQ("free space", pools[0].bad_ranges[0].contents);
  EXPECT_EQ("", pools[0].problem);
}

TEST_F(BadBlocksTest, InATreeOrItsValuesTheRestIsSaved) {
  for (const std::string contents : {"tree", "values"}) {
    const std::vector<ByteRange> bad = PagesOf(contents);
    ASSERT_FALSE(bad.empty()) << contents;
    const PretendedBadRanges pretended({bad.front()});
    const Status opened = store_.Open();
    store_.Close();
    if (opened.ok()) continue;  // no page in use is affected any more
    EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
    EXPECT_NE(std::string::npos, opened.ToString().find("bushstore repair")) << opened.ToString();
    std::vector<PmemPoolInfo> pools;
    ASSERT_OK(DescribePools(store_.path(), &pools));
    ASSERT_EQ(1u, pools[0].bad_ranges.size());
    EXPECT_EQ(0u, pools[0].bad_ranges[0].contents.find(contents));
    ASSERT_OK(RepairDB(store_.path(), store_.options));
    const int saved = CountEntries();
    EXPECT_GT(saved, kEntries * 9 / 10);
    return;
  }
  FAIL() << "no extent is in use";
}

TEST_F(BadBlocksTest, InTheMetadataEverythingIsSaved) {
  for (const PoolOffset pool_offset : {PoolOffset{0}, PoolOffset{kPage}, PoolOffset{1 << 20}}) {
    const PretendedBadRanges pretended({{pool_offset, pool_offset + kPage}});
    const Status opened = store_.Open();
    store_.Close();
    EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
    EXPECT_NE(std::string::npos, opened.ToString().find("bushstore repair")) << opened.ToString();
    std::vector<PmemPoolInfo> pools;
    ASSERT_OK(DescribePools(store_.path(), &pools));
    EXPECT_NE(std::string::npos, pools[0].problem.find("bushstore repair")) << pools[0].problem;
    ASSERT_EQ(1u, pools[0].bad_ranges.size());
    EXPECT_EQ("metadata", pools[0].bad_ranges[0].contents);
  }
  const PretendedBadRanges pretended({{0, 2 * kPage}});
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  EXPECT_EQ(kEntries, CountEntries());
}

}  // namespace
}  // namespace leveldb
