#include "db/version/level_limits.h"

#include <algorithm>
#include <cassert>

namespace leveldb {

uint64_t Level1BytesUnderTier(uint64_t pool_bytes) {
  return std::max(kLevel1Bytes, pool_bytes / 2);
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
