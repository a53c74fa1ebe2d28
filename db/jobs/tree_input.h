// Iterators through which jobs read trees.
#ifndef BUSHSTORE_DB_JOBS_TREE_INPUT_H_
#define BUSHSTORE_DB_JOBS_TREE_INPUT_H_

#include <memory>
#include <vector>

#include "entry/internal_key.h"
#include "iterator/internal_iterator.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// Appends iterators over `trees`, which are trees of `level` of a group, in its order: one iterator
// per tree for level 0, else one for all. They verify checksums: a damaged leaf must not be written
// again with a valid checksum. `comparator` must outlive them; the trees are kept alive.
void AppendTreeIterators(int level, const TreeList& trees, const InternalKeyComparator& comparator,
                         std::vector<InternalIterator*>* iterators);

// Returns an iterator over the union of `inputs`, which are newest first. It owns them.
std::unique_ptr<Iterator> MergeInputs(const InternalKeyComparator& comparator,
                                      std::vector<InternalIterator*> inputs);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TREE_INPUT_H_
