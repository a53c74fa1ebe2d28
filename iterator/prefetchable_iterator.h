// PrefetchableIterator: an iterator whose seeks can be begun before they are made. So the waits of
// several for memory overlap.
#ifndef BUSHSTORE_ITERATOR_PREFETCHABLE_ITERATOR_H_
#define BUSHSTORE_ITERATOR_PREFETCHABLE_ITERATOR_H_

#include "iterator/internal_iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class PrefetchableIterator : public InternalIterator {
 public:
  // Finds out what Seek(target) will read, and asks the processor for it. It may open a table, and
  // reads no block of it. REQUIRES: the next call is Seek(target).
  virtual void PrefetchSeek(const Slice& target) = 0;
};

// NewErrorIterator() where a PrefetchableIterator is wanted.
PrefetchableIterator* NewPrefetchableErrorIterator(const Status& status);

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_PREFETCHABLE_ITERATOR_H_
