// Decides at which levels a repair places its tables. Pure functions.
#ifndef BUSHSTORE_DB_OPEN_REPAIR_LAYOUT_H_
#define BUSHSTORE_DB_OPEN_REPAIR_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "db/open/salvaged_table.h"
#include "entry/internal_key.h"

namespace leveldb {

// Returns whether tables may stay at their levels, as far as their key ranges tell: from level 1
// on, the tables of a level do not overlap, and in level 0, which is read from the highest file
// number down, overlapping tables have sequences in that order. (VersionsInOrder checks the
// entries.)
bool LevelsAreInOrder(const InternalKeyComparator& comparator,
                      const std::vector<SalvagedTable>& tables);

// Checks, given every entry of some tables in the order of internal keys, whether a reader, which
// takes the first version of a key that it meets, would meet the newest one first.
class VersionsInOrder {
 public:
  // `comparator` must outlive this object.
  explicit VersionsInOrder(const InternalKeyComparator* comparator) : comparator_(comparator) {}

  // REQUIRES: `key` is a whole internal key, not less than the one before.
  void Add(const SalvagedTable& table, const Slice& key);

  bool holds() const { return holds_; }

 private:
  const InternalKeyComparator* const comparator_;
  bool holds_ = true;
  InternalKey last_key_;  // empty at first
  int last_level_ = 0;
  uint64_t last_number_ = 0;
};

// Splits tables into the smallest possible groups such that no user key is in the range of two
// groups.
std::vector<std::vector<SalvagedTable>> GroupByOverlap(const InternalKeyComparator& comparator,
                                                       std::vector<SalvagedTable> tables);

// Returns the level for `bytes` of tables that do not overlap, if there are no others: the first
// level that holds this many bytes without requiring a compaction.
int LevelForBytes(uint64_t bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_LAYOUT_H_
