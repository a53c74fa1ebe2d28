#include "db/version/level_limits.h"

#include <algorithm>
#include <cassert>

namespace leveldb {

namespace {

// Level 0 of the group may take 1 / kLevel0sPerPool of the pool.
constexpr uint64_t kLevel0sPerPool = 4;

// The tables per unit of depth above the compaction trigger.
constexpr int kTablesPerDepth = 4;

}  // namespace

LevelShape ShapeUnderTier(uint64_t pool_bytes, size_t write_buffer_size, bool spills) {
  const uint64_t memtables = pool_bytes / kLevel0sPerPool / std::max<size_t>(write_buffer_size, 1);
  LevelShape shape;
  shape.level1_bytes = std::max(kLevel1Bytes, pool_bytes / 2);
  if (!spills) return shape;
  shape.trees_per_merge = static_cast<int>(
      std::clamp<uint64_t>(memtables, kLevel0CompactionTrigger, kMostTreesPerMerge));
  return shape;
}

int DepthOfTables(int tables) {
  const int above = std::max(tables - kLevel0CompactionTrigger, 0);
  return tables - above + above / kTablesPerDepth;
}

int DepthOfTrees(int trees, int trees_per_merge) {
  return trees * kLevel0CompactionTrigger / trees_per_merge;
}

int TreesAtDepth(int depth, int trees_per_merge) {
  return depth * trees_per_merge / kLevel0CompactionTrigger;
}

uint64_t LevelTargetBytes(int level, uint64_t level1_bytes) {
  assert(level >= 1);
  assert(level < kNumLevels);
  uint64_t target = level1_bytes;
  for (int above = 1; above < level; above++) {
    if (target > UINT64_MAX / kLevelGrowth) return UINT64_MAX;
    target *= kLevelGrowth;
  }
  return target;
}

double LevelScore(int level, int files, uint64_t bytes, uint64_t level1_bytes) {
  assert(level >= 0);
  assert(level < kNumLevels);
  if (level == 0) return files / static_cast<double>(kLevel0CompactionTrigger);
  if (level == kNumLevels - 1) return 0;
  return static_cast<double>(bytes) / static_cast<double>(LevelTargetBytes(level, level1_bytes));
}

}  // namespace leveldb
