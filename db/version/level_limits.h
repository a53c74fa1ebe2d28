// The shape of the levels: how many there are and how much each may hold before it is compacted.
// The only place that knows.

#ifndef BUSHSTORE_DB_VERSION_LEVEL_LIMITS_H_
#define BUSHSTORE_DB_VERSION_LEVEL_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// Part of the format: a manifest that names another level is corrupt.
inline constexpr int kNumLevels = 7;

// Far beyond any database's life. A higher number in a file's name or in a manifest is damage, and
// would overflow the counter of numbers.
inline constexpr uint64_t kMaxFileNumber = uint64_t{1} << 62;

// Level 0 is compacted from this many tables on. Its depth is their number up to there.
inline constexpr int kLevel0CompactionTrigger = 4;

// The depths of level 0 at which each write is delayed and at which writes stop: 20 and 36 tables,
// which are RocksDB's defaults. LevelDB's are 8 and 12. When writers are ahead of compactions, the
// next compaction of level 0 then takes more of them at once, and level 1 is rewritten less often:
// with buffers of 8 MB, a gigabyte of new keys in random order is written to tables 6 times, not
// 10. A lookup pays for a table that does not hold its key with a look into a filter.
inline constexpr int kLevel0SlowdownDepth = 8;
inline constexpr int kLevel0StopDepth = 12;

// A memtable's table may be placed no deeper than this, past levels it does not overlap.
inline constexpr int kMaxMemtableLevel = 2;

// How much level 1 is meant to hold; each further level is meant to hold ten times as much. Under a
// tier in persistent memory it holds more, so that what the tier spills does not cascade.
inline constexpr uint64_t kLevel1Bytes = uint64_t{10} << 20;
inline constexpr int kLevelGrowth = 10;

// One output table may overlap at most this much of the level below its own, and a table is moved
// down without rewriting only if it overlaps no more.
inline uint64_t MaxGrandparentOverlapBytes(uint64_t max_file_size) {
  return 10 * max_file_size;
}

// Inputs are widened for free only up to this many bytes.
inline uint64_t MaxExpandedInputBytes(uint64_t max_file_size) {
  return 25 * max_file_size;
}

// Trees that level 0 of the group collects before it is merged are at least as many as tables are,
// and at most this many.
inline constexpr int kMostTreesPerMerge = 12;

// What is not the same for all databases.
struct LevelShape {
  uint64_t level1_bytes = kLevel1Bytes;            // how much level 1 is meant to hold
  int trees_per_merge = kLevel0CompactionTrigger;  // that level 0 of the group collects

  friend bool operator==(const LevelShape& a, const LevelShape& b) = default;
};

// The shape under a tier whose pool may grow to `pool_bytes`. The trees of level 0, which are
// flushed from memtables of `write_buffer_size`, hold no more than a part of the pool: what they
// overwrite in each other takes space until they are merged. Where nothing `spills`, merges and
// sweeps alone make room, and are not to be put off.
LevelShape ShapeUnderTier(uint64_t pool_bytes, size_t write_buffer_size, bool spills);

// How deep tables make level 0: above the compaction trigger four tables count as one.
int DepthOfTables(int tables);

// How deep trees make level 0: as many as it takes to make a merge due count as
// kLevel0CompactionTrigger.
int DepthOfTrees(int trees, int trees_per_merge);

// The other way round: the trees that make level 0 so deep.
int TreesAtDepth(int depth, int trees_per_merge);

// How much `level` is meant to hold if level 1 is meant to hold `level1_bytes`.
// REQUIRES: 1 <= level < kNumLevels.
uint64_t LevelTargetBytes(int level, uint64_t level1_bytes = kLevel1Bytes);

// How full a level is: 1 or more says that it wants compaction. Level 0 is measured in files,
// because each of them costs every read; `bytes` counts for the others. The last level is never
// too full.
double LevelScore(int level, int files, uint64_t bytes, uint64_t level1_bytes = kLevel1Bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_LEVEL_LIMITS_H_
