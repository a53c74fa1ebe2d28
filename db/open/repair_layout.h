// Decides, for a repair, where its tables go. Pure functions.
#ifndef BUSHSTORE_DB_OPEN_REPAIR_LAYOUT_H_
#define BUSHSTORE_DB_OPEN_REPAIR_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "db/open/salvaged_table.h"
#include "entry/internal_key.h"

namespace leveldb {

// Whether readers, who stop at the first version of a key that they meet, would meet the newest one
// first if each table were at its `level`. Takes for granted what a believed manifest vouches for,
// that levels from 1 on are older the deeper they are, and checks what a repair may have upset:
// that tables of these levels do not overlap, and that in level 0, which is read from the highest
// file number down, overlapping tables have sequences in that order.
bool LevelsAreInOrder(const InternalKeyComparator& comparator,
                      const std::vector<SalvagedTable>& tables);

// Splits tables into groups such that no user key is in the range of two groups, each as small as
// possible.
std::vector<std::vector<SalvagedTable>> GroupByOverlap(const InternalKeyComparator& comparator,
                                                       std::vector<SalvagedTable> tables);

// The level for `bytes` of tables that do not overlap, when there are no others: the first that
// holds so much without wanting compaction.
int LevelForBytes(uint64_t bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_LAYOUT_H_
