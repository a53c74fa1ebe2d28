#include "pmem/value/garbage.h"

#include <gtest/gtest.h>

#include "pmem/media/extent_header.h"

namespace leveldb {
namespace {

constexpr uint64_t kExtentSize = 64 * 1024;
constexpr uint64_t kRoom = kExtentSize - ExtentHeader::kSize;

TEST(GarbageTallyTest, NoTreesReferToNothing) {
  GarbageTally tally(kExtentSize);
  EXPECT_TRUE(tally.Extents().empty());
  tally.Add({});
  EXPECT_TRUE(tally.Extents().empty());
}

TEST(GarbageTallyTest, UsesOfManyTreesAddUpByExtent) {
  GarbageTally tally(kExtentSize);
  tally.Add({{3 * kExtentSize, 7, kRoom / 4}, {5 * kExtentSize, 8, kRoom}});
  tally.Add({{kExtentSize, 9, 0}, {3 * kExtentSize, 7, kRoom / 4}});
  const std::vector<ExtentGarbage> expected = {
      {kExtentSize, 0, 1.0}, {3 * kExtentSize, kRoom / 2, 0.5}, {5 * kExtentSize, kRoom, 0.0}};
  EXPECT_EQ(expected, tally.Extents());
  tally.Add({{3 * kExtentSize, 7, kRoom / 2}});
  EXPECT_EQ(0.0, tally.Extents()[1].garbage_share);
}

TEST(GarbageTallyTest, TwoTreesMayReferToTheSameValues) {
  GarbageTally tally(kExtentSize);
  tally.Add({{kExtentSize, 7, kRoom}});
  tally.Add({{kExtentSize, 7, kRoom}});
  EXPECT_EQ(0.0, tally.Extents()[0].garbage_share);
}

}  // namespace
}  // namespace leveldb
