// PrefetchableIterator: an iterator whose seeks can be prefetched, so that the memory latencies of
// several of them overlap.
#ifndef BUSHSTORE_ITERATOR_PREFETCHABLE_ITERATOR_H_
#define BUSHSTORE_ITERATOR_PREFETCHABLE_ITERATOR_H_

#include "iterator/internal_iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class PrefetchableIterator : public InternalIterator {
 public:
  // Prefetches what Seek(target) will read. May open a table, but reads no block of it.
  // REQUIRES: the next call is Seek(target).
  virtual void PrefetchSeek(const Slice& target) = 0;
};

// Returns a PrefetchableIterator that is like NewErrorIterator().
PrefetchableIterator* NewPrefetchableErrorIterator(const Status& status);

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_PREFETCHABLE_ITERATOR_H_
