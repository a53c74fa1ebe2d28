// Helpers for lists of trees, and for sets of trees that have to move together.

#ifndef BUSHSTORE_DB_DECIDE_TREE_RANGE_H_
#define BUSHSTORE_DB_DECIDE_TREE_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "db/decide/manual_range.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// A range of user keys, both ends included. Points into the object it was made from.
struct UserKeyRange {
  Slice smallest;
  Slice largest;

  bool Overlaps(const InternalKeyComparator& comparator, const UserKeyRange& other) const {
    return comparator.CompareUserKeys(smallest, other.largest) <= 0 &&
           comparator.CompareUserKeys(largest, other.smallest) >= 0;
  }

  // Widens the range to cover `other`.
  void Include(const InternalKeyComparator& comparator, const UserKeyRange& other);
};

UserKeyRange RangeOf(const Tree& tree);

// The range that covers all of `trees`. REQUIRES: there is one.
UserKeyRange Cover(const InternalKeyComparator& comparator, const TreeList& trees);

uint64_t LeafBytes(const TreeList& trees);
uint64_t UserBytes(const TreeList& trees);

// Appends "G1[12 13]": the level of the group, and the numbers of the trees.
void AppendTrees(int level, const TreeList& trees, std::string* text);

// Marks in *taken the tree at `index` of `level0` (newest first) and every older one that has to
// move down with it, because it overlaps it, or overlaps one that does. Trees that stay are then
// not older than the marked ones where they overlap.
void TakeWithOlder(const InternalKeyComparator& comparator, const TreeList& level0, size_t index,
                   std::vector<bool>* taken);

// Returns the trees that may have keys in the range, in the order of their level.
TreeList TreesInRange(const TreeGroup& group, const ManualRange& range);

// Returns the marked elements of `trees`, in their order.
TreeList Marked(const TreeList& trees, const std::vector<bool>& marks);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_TREE_RANGE_H_
