#include "db/version/level_limits.h"

#include <cassert>

namespace leveldb {

uint64_t LevelTargetBytes(int level) {
  assert(level >= 1);
  assert(level < kNumLevels);
  uint64_t target = kLevel1Bytes;
  for (int above = 1; above < level; above++) target *= kLevelGrowth;
  return target;
}

double LevelScore(int level, int files, uint64_t bytes) {
  assert(level >= 0);
  assert(level < kNumLevels);
  if (level == 0) return files / static_cast<double>(kLevel0CompactionTrigger);
  if (level == kNumLevels - 1) return 0;
  return static_cast<double>(bytes) / static_cast<double>(LevelTargetBytes(level));
}

}  // namespace leveldb
