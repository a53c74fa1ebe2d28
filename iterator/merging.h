// Merges several sorted iterators into one.
#ifndef BUSHSTORE_ITERATOR_MERGING_H_
#define BUSHSTORE_ITERATOR_MERGING_H_

#include <vector>

#include "iterator/internal_iterator.h"
#include "iterator/key_order.h"
#include "iterator/prefetchable_iterator.h"

namespace leveldb {

// Returns an iterator over the union of `children`, which it owns, in the given order; the caller
// deletes it. Nothing is omitted: equal keys appear once per child, a child with a lower index
// first (callers put the newest source first), and in the exact reverse order when iterating
// backward. A child that fails counts as ended; status() then returns the first error.
// `prefetchable` lists the children on which a seek first calls PrefetchSeek, before any child
// seeks.
InternalIterator* NewMergingIterator(const KeyOrder& order, std::vector<InternalIterator*> children,
                                     std::vector<PrefetchableIterator*> prefetchable = {});

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_MERGING_H_
