// Merging several sorted iterators into one.
#ifndef BUSHSTORE_ITERATOR_MERGING_H_
#define BUSHSTORE_ITERATOR_MERGING_H_

#include <vector>

#include "iterator/internal_iterator.h"
#include "iterator/key_order.h"
#include "iterator/prefetchable_iterator.h"

namespace leveldb {

// The union of `children`, which the result owns, in the given order; the caller deletes it.
// Nothing is left out: equal keys appear once per child, a child with a lower index first (callers
// put the newest source first), and the exact reverse when walking backward.
// A child that fails counts as ended; status() then tells the first failure.
// `prefetchable` are those of the children whose seeks shall be begun before any child seeks.
InternalIterator* NewMergingIterator(const KeyOrder& order, std::vector<InternalIterator*> children,
                                     std::vector<PrefetchableIterator*> prefetchable = {});

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_MERGING_H_
