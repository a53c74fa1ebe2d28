// Makes an iterator over all parts of a memtable as one sorted sequence.
#ifndef BUSHSTORE_DB_STATE_MEMTABLE_ITERATOR_H_
#define BUSHSTORE_DB_STATE_MEMTABLE_ITERATOR_H_

#include "db/mem/memtable.h"
#include "iterator/internal_iterator.h"

namespace leveldb {

// Returns an iterator over internal keys. The caller deletes it, and keeps the memtable alive until
// then. It may miss entries that are added later.
InternalIterator* NewMemTableIterator(const MemTable& memtable);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_MEMTABLE_ITERATOR_H_
