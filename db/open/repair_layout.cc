#include "db/open/repair_layout.h"

#include <algorithm>
#include <utility>

#include "db/version/level_limits.h"

namespace leveldb {

namespace {

void SortBySmallestKey(const InternalKeyComparator& comparator,
                       std::vector<SalvagedTable>* tables) {
  std::sort(tables->begin(), tables->end(),
            [&comparator](const SalvagedTable& a, const SalvagedTable& b) {
              return comparator.Compare(a.smallest, b.smallest) < 0;
            });
}

bool UserRangesOverlap(const InternalKeyComparator& comparator, const SalvagedTable& a,
                       const SalvagedTable& b) {
  return comparator.CompareUserKeys(a.smallest.user_key(), b.largest.user_key()) <= 0 &&
         comparator.CompareUserKeys(b.smallest.user_key(), a.largest.user_key()) <= 0;
}

bool Level0IsInOrder(const InternalKeyComparator& comparator,
                     const std::vector<SalvagedTable>& tables) {
  for (const SalvagedTable& older : tables) {
    for (const SalvagedTable& newer : tables) {
      if (newer.number > older.number && UserRangesOverlap(comparator, older, newer) &&
          newer.sequences.smallest <= older.sequences.largest) {
        return false;
      }
    }
  }
  return true;
}

bool SortedLevelIsInOrder(const InternalKeyComparator& comparator,
                          std::vector<SalvagedTable> tables) {
  SortBySmallestKey(comparator, &tables);
  for (size_t i = 1; i < tables.size(); i++) {
    if (comparator.Compare(tables[i - 1].largest, tables[i].smallest) >= 0) return false;
  }
  return true;
}

}  // namespace

bool LevelsAreInOrder(const InternalKeyComparator& comparator,
                      const std::vector<SalvagedTable>& tables) {
  std::vector<SalvagedTable> levels[kNumLevels];
  for (const SalvagedTable& table : tables) levels[table.level].push_back(table);
  if (!Level0IsInOrder(comparator, levels[0])) return false;
  for (int level = 1; level < kNumLevels; level++) {
    if (!SortedLevelIsInOrder(comparator, std::move(levels[level]))) return false;
  }
  return true;
}

void VersionsInOrder::Add(const SalvagedTable& table, const Slice& key) {
  const bool is_older_version =
      !last_key_.empty() &&
      comparator_->CompareUserKeys(last_key_.user_key(), ExtractUserKey(key)) == 0;
  if (is_older_version) {
    // Deeper levels are sorted: the version met first is the newer one whatever its table's number.
    const bool is_met_later =
        table.level > last_level_ ||
        (table.level == last_level_ && (table.level > 0 || table.number <= last_number_));
    holds_ = holds_ && is_met_later;
  }
  last_key_.DecodeFrom(key);
  last_level_ = table.level;
  last_number_ = table.number;
}

std::vector<std::vector<SalvagedTable>> GroupByOverlap(const InternalKeyComparator& comparator,
                                                       std::vector<SalvagedTable> tables) {
  SortBySmallestKey(comparator, &tables);
  std::vector<std::vector<SalvagedTable>> groups;
  InternalKey end_of_group;
  for (SalvagedTable& table : tables) {
    const bool begins_group =
        groups.empty() ||
        comparator.CompareUserKeys(end_of_group.user_key(), table.smallest.user_key()) < 0;
    if (begins_group) groups.emplace_back();
    if (begins_group || comparator.Compare(end_of_group, table.largest) < 0) {
      end_of_group = table.largest;
    }
    groups.back().push_back(std::move(table));
  }
  return groups;
}

int LevelForBytes(uint64_t bytes) {
  int level = 1;
  while (level + 1 < kNumLevels && bytes > LevelTargetBytes(level)) level++;
  return level;
}

}  // namespace leveldb
