#include "db/decide/tree_sizer.h"

#include "gtest/gtest.h"

namespace leveldb {
namespace {

constexpr size_t kBuffer = 4 << 20;
constexpr size_t kNoLimit = SIZE_MAX;
constexpr TreeSizes kFirst{kBuffer, 0};

TreeSizes After(int times, TreeSizes sizes, const TreeTimings& timings, size_t most = kNoLimit) {
  for (int i = 0; i < times; i++) sizes = NextTreeSizes(sizes, timings, {kBuffer, most, 3});
  return sizes;
}

TEST(TreeSizerTest, NothingChangesBeforeAllIsKnown) {
  EXPECT_EQ(kFirst, After(9, kFirst, {0, 900, 900}));
  EXPECT_EQ(kFirst, After(9, kFirst, {100, 0, 900}));
  EXPECT_EQ(kFirst, After(9, kFirst, {100, 900, 0}));
}

TEST(TreeSizerTest, BusyJobsGetWiderMergesFirstAndLargerTreesThen) {
  const TreeTimings busy{1000, 500, 500};
  const TreeSizes wider = After(3, kFirst, busy);
  EXPECT_EQ(kBuffer, wider.memtable_bytes);
  EXPECT_EQ(3, wider.extra_trees);
  const TreeSizes larger = After(1, wider, busy);
  EXPECT_EQ(kBuffer * 5 / 4, larger.memtable_bytes);
  EXPECT_EQ(2 * kBuffer, After(20, larger, busy).memtable_bytes);
  EXPECT_EQ(kBuffer * 3 / 2, After(20, larger, busy, kBuffer * 3 / 2).memtable_bytes);
  EXPECT_EQ(kBuffer, After(20, wider, busy, kBuffer / 8).memtable_bytes);  // a small pool
}

TEST(TreeSizerTest, WithTimeToSpareAllReturnsToWhereItBegan) {
  const TreeTimings busy{1000, 500, 500};
  const TreeTimings idle{1000, 100, 100};
  const TreeTimings between{1000, 300, 300};
  const TreeSizes large = After(20, kFirst, busy);
  EXPECT_EQ(large, After(5, large, between));
  EXPECT_LT(After(1, large, idle).memtable_bytes, large.memtable_bytes);
  EXPECT_EQ(kFirst, After(20, large, idle));
}

TEST(TreeSizerTest, ExtraTreesFollowTheirLimit) {
  const TreeTimings between{1000, 300, 300};
  const TreeSizes wide{kBuffer, 9};
  EXPECT_EQ((TreeSizes{kBuffer, 3}), NextTreeSizes(wide, between, {kBuffer, kNoLimit, 3}));
}

}  // namespace
}  // namespace leveldb
