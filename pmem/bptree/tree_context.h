// TreeContext: the objects with which trees are built and opened.
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

// Appends the pieces of the pool in which a value that is a list of chunks lies, the list itself
// included.
using ChunkLister = Status (*)(const Pool& pool, const ValueRef& reference,
                               std::vector<ValuePiece>* pieces);

// A plain value. Everything it points to must outlive the trees.
struct TreeContext {
  Pool* pool = nullptr;
  Extents* extents = nullptr;
  const InternalKeyComparator* comparator = nullptr;

  // The caller's filter policy, over internal keys, or null. Used only where keys are not ordered
  // by their bytes: otherwise trees have a filter of their own.
  const FilterPolicy* user_filter = nullptr;

  // Takes a tree's extents when the last reference to the tree is dropped; null: they are released
  // at once.
  RetiredTrees* retired = nullptr;

  // Holds the hints where values lie; null: there are no hints.
  const ValueHints* value_hints = nullptr;

  // Lists the pieces of chunk lists; null: entries that refer to one are refused.
  ChunkLister list_chunks = nullptr;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_CONTEXT_H_
