// TreeGroup: all trees of the tier, level by level.
//
//   level 0      flushed trees, newest first; they may overlap
//   levels 1..3  sorted by key; no two trees of a level share a user key
//
// For one user key, every version in a level is newer than those in the levels below it.
#ifndef BUSHSTORE_PMEM_GROUP_TREE_GROUP_H_
#define BUSHSTORE_PMEM_GROUP_TREE_GROUP_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/separators.h"
#include "pmem/bptree/tree.h"

namespace leveldb {

constexpr int kGroupLevels = 4;

using TreeList = std::vector<TreePtr>;
using TreeLevels = std::array<TreeList, kGroupLevels>;

class TreeGroup;
using TreeGroupPtr = std::shared_ptr<const TreeGroup>;

// Immutable; safe to share.
class TreeGroup {
 public:
  // Makes a group of the given trees. Sorts level 0 by number, newest first, and the others by key.
  // Returns Corruption if trees of a deeper level overlap. `comparator` must outlive the group.
  static Status Build(const InternalKeyComparator* comparator, TreeLevels levels,
                      TreeGroupPtr* group);

  // Makes a group without trees.
  explicit TreeGroup(const InternalKeyComparator* comparator);

  const InternalKeyComparator& comparator() const { return *comparator_; }

  // REQUIRES: 0 <= level < kGroupLevels, here and below.
  const TreeList& trees(int level) const { return levels_[level]; }
  bool empty() const { return tree_count_ == 0; }
  uint64_t tree_count() const { return tree_count_; }

  // Returns the number of sorted runs that a read may have to search: each tree of level 0, and
  // each deeper level that has trees.
  size_t run_count() const { return run_count_; }
  // Returns the first level that has trees. REQUIRES: !empty().
  int first_level() const { return first_level_; }
  // Returns the number of entries in that level and the next: the cost of a read-triggered
  // compaction, which leaves fewer runs.
  uint64_t read_triggered_entries() const { return read_triggered_entries_; }

  // Return sums over a level, or over all levels: bytes of leaves; of keys and values; of DRAM.
  uint64_t LevelLeafBytes(int level) const;
  uint64_t LevelUserBytes(int level) const;
  uint64_t TotalUserBytes() const;
  uint64_t TotalDramBytes() const;

  // Returns the trees of a level, in the level's order, that may hold a user key in [*begin, *end];
  // null means unbounded.
  TreeList Overlapping(int level, const Slice* begin, const Slice* end) const;
  bool OverlapInLevel(int level, const Slice* begin, const Slice* end) const;

  // Returns the only tree of a level that can hold the user key, or null; the key may still be
  // outside its range. REQUIRES: level > 0.
  const Tree* Candidate(int level, const Slice& user_key) const;

  // Returns the hints that the trees share, or null if no tree uses them.
  const ValueHints* value_hints() const { return value_hints_; }

  // Returns the index of the first tree of the level that ends at or after `internal_key`, or the
  // number of trees if there is none. REQUIRES: level > 0.
  size_t FindTree(int level, const Slice& internal_key) const;

 private:
  TreeGroup(const InternalKeyComparator* comparator, TreeLevels levels);

  void CountRuns();
  bool Overlaps(const Tree& tree, const Slice* begin, const Slice* end) const;
  size_t FindTree(int level, const Slice& user_key, uint64_t trailer) const;

  const InternalKeyComparator* const comparator_;
  const TreeLevels levels_;
  uint64_t tree_count_ = 0;
  size_t run_count_ = 0;
  int first_level_ = 0;
  uint64_t read_triggered_entries_ = 0;
  const ValueHints* value_hints_ = nullptr;
  std::array<Separators, kGroupLevels> separators_;  // between the trees of a level
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_GROUP_TREE_GROUP_H_
