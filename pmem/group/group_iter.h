// Iterators over a group.
#ifndef BUSHSTORE_PMEM_GROUP_GROUP_ITER_H_
#define BUSHSTORE_PMEM_GROUP_GROUP_ITER_H_

#include <vector>

#include "iterator/internal_iterator.h"
#include "pmem/bptree/tree.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// Appends iterators over internal keys that together cover every entry of the group, newest source
// first: one for each tree of level 0, one for each deeper level that is not empty. The caller
// deletes them; each keeps the group alive. `read_ahead` (may be null) is as in pmem/bptree/iter.h.
void AppendGroupIterators(const TreeGroupPtr& group, bool verify_checksums,
                          const ReadAhead* read_ahead, std::vector<InternalIterator*>* iterators);

// Returns an iterator over trees that are sorted by key and do not overlap; it keeps them alive. It
// opens one tree at a time, and none before the first move. The caller deletes the result;
// `comparator` must outlive it.
InternalIterator* NewTreeListIterator(const InternalKeyComparator* comparator, TreeList trees,
                                      bool verify_checksums, const ReadAhead* read_ahead = nullptr);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_GROUP_GROUP_ITER_H_
