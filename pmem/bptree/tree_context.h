// What trees are made and opened with.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_CONTEXT_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_CONTEXT_H_

#include <vector>

#include "leveldb/status.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

class Extents;
class FilterPolicy;
class InternalKeyComparator;
class Pool;
class RetiredTrees;
class ValueHints;
struct ValueRef;

// Appends where the bytes of a value that is a list of chunks lie, the list itself included.
using ChunkLister = Status (*)(const Pool& pool, const ValueRef& reference,
                               std::vector<ValuePiece>* pieces);

// A plain value. Everything it points to must outlive the trees.
struct TreeContext {
  Pool* pool = nullptr;
  Extents* extents = nullptr;
  const InternalKeyComparator* comparator = nullptr;

  // The caller's filter policy, over internal keys, or null. Asked only where keys are not ordered
  // by their bytes: otherwise trees have a filter of their own.
  const FilterPolicy* user_filter = nullptr;

  // Where a tree's extents go with the last reference to it; null: they are released at once.
  RetiredTrees* retired = nullptr;

  // Where reads expect values to lie; null: nowhere.
  const ValueHints* value_hints = nullptr;

  // Knows chunk lists; null: entries that refer to one are refused.
  ChunkLister list_chunks = nullptr;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_CONTEXT_H_
