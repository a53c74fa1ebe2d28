// Defines the shape of the levels: how many there are and how much each may hold before it is
// compacted.

#ifndef BUSHSTORE_DB_VERSION_LEVEL_LIMITS_H_
#define BUSHSTORE_DB_VERSION_LEVEL_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// The number of levels. Part of the format: a manifest that names another level is corrupt.
inline constexpr int kNumLevels = 7;

// The highest valid file number, which no database ever reaches. A higher number in a file's name
// or in a manifest is damage, and would overflow the counter of numbers.
inline constexpr uint64_t kMaxFileNumber = uint64_t{1} << 62;

// Level 0 is compacted from this many tables on. Up to there its depth is their number.
inline constexpr int kLevel0CompactionTrigger = 4;

// The depths of level 0 at which each write is delayed and at which writes stop: 20 and 36 tables,
// which are RocksDB's defaults. LevelDB's are 8 and 12. When writers are ahead of compactions, the
// next compaction of level 0 then takes more of them at once, and level 1 is rewritten less often:
// with buffers of 8 MB, a gigabyte of new keys in random order is written to tables 6 times, not
// 10 (docs/beyond-memory.md has the command). A table that does not hold the key costs a lookup one
// filter check or, without a filter, a search in its index and a block.
inline constexpr int kLevel0SlowdownDepth = 8;
inline constexpr int kLevel0StopDepth = 12;

// The deepest level for the table of a memtable. The table may skip only levels that it does not
// overlap.
inline constexpr int kMaxMemtableLevel = 2;

// The target size of level 1; the target of each further level is ten times as large. Under a tier
// in persistent memory the target is larger, so that spills do not cascade.
inline constexpr uint64_t kLevel1Bytes = uint64_t{10} << 20;
inline constexpr int kLevelGrowth = 10;

// One output table may overlap at most this much of the level below its own, and a table is moved
// down without rewriting only if it overlaps no more.
inline uint64_t MaxGrandparentOverlapBytes(uint64_t max_file_size) {
  return 10 * max_file_size;
}

// The inputs of a compaction are widened only up to this many bytes.
inline uint64_t MaxExpandedInputBytes(uint64_t max_file_size) {
  return 25 * max_file_size;
}

// The most trees that level 0 of the group collects before it is merged; the least is
// kLevel0CompactionTrigger, as for tables.
inline constexpr int kMostTreesPerMerge = 12;

// The limits that differ between databases.
struct LevelShape {
  uint64_t level1_bytes = kLevel1Bytes;            // the target of level 1
  int trees_per_merge = kLevel0CompactionTrigger;  // trees that make a merge of level 0 due

  friend bool operator==(const LevelShape& a, const LevelShape& b) = default;
};

// Returns the shape under a tier whose pool may grow to `pool_bytes`. The trees of level 0, which
// are flushed from memtables of `write_buffer_size`, take only a part of the pool: entries that
// they overwrite in each other take space until they are merged. Without `spills`, merges and
// value-log GC alone make room, and merges must not be deferred.
LevelShape ShapeUnderTier(uint64_t pool_bytes, size_t write_buffer_size, bool spills);

// Returns the depth of level 0 with that many tables: above the compaction trigger four tables
// count as one.
int DepthOfTables(int tables);

// Returns the depth of level 0 of the group: the `trees_per_merge` trees that make a merge due
// count as kLevel0CompactionTrigger.
int DepthOfTrees(int trees, int trees_per_merge);

// Returns the number of trees at which level 0 of the group has this depth: the inverse of
// DepthOfTrees().
int TreesAtDepth(int depth, int trees_per_merge);

// Returns the target size of `level` if that of level 1 is `level1_bytes`.
// REQUIRES: 1 <= level < kNumLevels.
uint64_t LevelTargetBytes(int level, uint64_t level1_bytes = kLevel1Bytes);

// Returns how full a level is; a compaction is due at 1 or more. Level 0 is measured in files,
// because each of them costs every read, the others in `bytes`. The last level is never too full.
double LevelScore(int level, int files, uint64_t bytes, uint64_t level1_bytes = kLevel1Bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_LEVEL_LIMITS_H_
