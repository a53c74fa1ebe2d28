#include "db/version/level_limits.h"

#include "gtest/gtest.h"

namespace leveldb {
namespace {

TEST(LevelLimitsTest, EachLevelHoldsTenTimesTheOneAbove) {
  EXPECT_EQ(uint64_t{10} << 20, LevelTargetBytes(1));
  EXPECT_EQ(uint64_t{100} << 20, LevelTargetBytes(2));
  EXPECT_EQ(uint64_t{1000000} << 20, LevelTargetBytes(6));
}

TEST(LevelLimitsTest, Level0CountsFiles) {
  EXPECT_EQ(0.0, LevelScore(0, 0, 0));
  EXPECT_EQ(1.0, LevelScore(0, 4, 0));
  EXPECT_EQ(3.0, LevelScore(0, 12, uint64_t{1} << 40));
}

TEST(LevelLimitsTest, OtherLevelsCountBytes) {
  EXPECT_EQ(1.0, LevelScore(1, 1, uint64_t{10} << 20));
  EXPECT_EQ(0.5, LevelScore(2, 1000, uint64_t{50} << 20));
}

TEST(LevelLimitsTest, ATierMakesTheLevelsWider) {
  EXPECT_EQ(kLevel1Bytes, ShapeUnderTier(uint64_t{8} << 20, 4 << 20, true).level1_bytes);
  EXPECT_EQ(uint64_t{512} << 20, ShapeUnderTier(uint64_t{1} << 30, 4 << 20, true).level1_bytes);
  EXPECT_EQ(uint64_t{5120} << 20, LevelTargetBytes(2, uint64_t{512} << 20));
  EXPECT_EQ(UINT64_MAX, LevelTargetBytes(6, uint64_t{1} << 60));
  EXPECT_EQ(2.0, LevelScore(1, 1, uint64_t{1} << 30, uint64_t{512} << 20));
}

TEST(LevelLimitsTest, Level0OfTheGroupMayTakeAPartOfThePool) {
  const auto trees = [](uint64_t pool_mib, size_t buffer_mib) {
    return ShapeUnderTier(pool_mib << 20, buffer_mib << 20, true).trees_per_merge;
  };
  EXPECT_EQ(4, trees(64, 4));
  EXPECT_EQ(4, trees(1, 64));
  EXPECT_EQ(6, trees(96, 4));
  EXPECT_EQ(kMostTreesPerMerge, trees(8192, 64));
  EXPECT_EQ(kMostTreesPerMerge, ShapeUnderTier(uint64_t{1} << 30, 0, true).trees_per_merge);
  EXPECT_EQ(4, ShapeUnderTier(uint64_t{8} << 30, 64 << 20, false).trees_per_merge);
}

TEST(LevelLimitsTest, TablesCountForLessAboveTheCompactionTrigger) {
  EXPECT_EQ(0, DepthOfTables(0));
  EXPECT_EQ(3, DepthOfTables(3));
  EXPECT_EQ(kLevel0CompactionTrigger, DepthOfTables(4));
  EXPECT_EQ(kLevel0CompactionTrigger, DepthOfTables(7));
  EXPECT_EQ(kLevel0SlowdownDepth - 1, DepthOfTables(19));
  EXPECT_EQ(kLevel0SlowdownDepth, DepthOfTables(20));
  EXPECT_EQ(kLevel0StopDepth - 1, DepthOfTables(35));
  EXPECT_EQ(kLevel0StopDepth, DepthOfTables(36));
}

TEST(LevelLimitsTest, TreesCountForLessWhereMergesTakeMoreOfThem) {
  EXPECT_EQ(0, DepthOfTrees(2, 12));
  EXPECT_EQ(kLevel0CompactionTrigger, DepthOfTrees(12, 12));
  EXPECT_EQ(kLevel0SlowdownDepth, DepthOfTrees(24, 12));
  EXPECT_EQ(kLevel0StopDepth, DepthOfTrees(36, 12));
  EXPECT_EQ(7, DepthOfTrees(7, 4));
  EXPECT_EQ(12, TreesAtDepth(kLevel0CompactionTrigger, 12));
  EXPECT_EQ(24, TreesAtDepth(kLevel0SlowdownDepth, 12));
  EXPECT_EQ(36, TreesAtDepth(kLevel0StopDepth, 12));
}

TEST(LevelLimitsTest, TheLastLevelIsNeverTooFull) {
  EXPECT_EQ(0.0, LevelScore(kNumLevels - 1, 1000000, UINT64_MAX));
}

TEST(LevelLimitsTest, OverlapLimitsFollowTheFileSize) {
  EXPECT_EQ(20u << 20, MaxGrandparentOverlapBytes(2 << 20));
  EXPECT_EQ(50u << 20, MaxExpandedInputBytes(2 << 20));
}

}  // namespace
}  // namespace leveldb
