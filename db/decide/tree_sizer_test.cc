#include "db/decide/tree_sizer.h"

#include "db/decide/merge_picker.h"
#include "gtest/gtest.h"

namespace leveldb {
namespace {

constexpr size_t kBuffer = 4 << 20;
constexpr size_t kNoLimit = SIZE_MAX;

TreeSizes After(int times, TreeSizes sizes, const TreePace& pace, size_t most = kNoLimit) {
  for (int i = 0; i < times; i++) sizes = NextTreeSizes(sizes, pace, kBuffer, most);
  return sizes;
}

TEST(TreeSizerTest, NothingChangesBeforeAllIsKnown) {
  const TreeSizes fixed = FixedTreeSizes(kBuffer);
  EXPECT_EQ(kBuffer, fixed.memtable_bytes);
  EXPECT_EQ(kLevel0MergeTrigger, fixed.merge_width);
  EXPECT_EQ(fixed, After(9, fixed, {0, 900, 900}));
  EXPECT_EQ(fixed, After(9, fixed, {100, 0, 900}));
  EXPECT_EQ(fixed, After(9, fixed, {100, 900, 0}));
}

TEST(TreeSizerTest, BusyJobsGetWiderMergesFirstAndLargerTreesThen) {
  const TreePace busy{1000, 500, 500};
  const TreeSizes fixed = FixedTreeSizes(kBuffer);
  const TreeSizes wider = After(3, fixed, busy);
  EXPECT_EQ(kBuffer, wider.memtable_bytes);
  EXPECT_EQ(7, wider.merge_width);
  const TreeSizes larger = After(1, wider, busy);
  EXPECT_EQ(kBuffer * 5 / 4, larger.memtable_bytes);
  EXPECT_EQ(2 * kBuffer, After(20, larger, busy).memtable_bytes);
  EXPECT_EQ(kBuffer * 3 / 2, After(20, larger, busy, kBuffer * 3 / 2).memtable_bytes);
  EXPECT_EQ(kBuffer, After(20, wider, busy, kBuffer / 8).memtable_bytes);  // a small pool
}

TEST(TreeSizerTest, WithTimeToSpareAllReturnsToWhereItBegan) {
  const TreePace busy{1000, 500, 500};
  const TreePace idle{1000, 100, 100};
  const TreePace between{1000, 300, 300};
  const TreeSizes fixed = FixedTreeSizes(kBuffer);
  const TreeSizes large = After(20, fixed, busy);
  EXPECT_EQ(large, After(5, large, between));
  EXPECT_LT(After(1, large, idle).memtable_bytes, large.memtable_bytes);
  EXPECT_EQ(fixed, After(20, large, idle));
}

}  // namespace
}  // namespace leveldb
