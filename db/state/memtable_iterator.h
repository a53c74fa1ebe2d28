// A memtable as one sorted sequence, whichever parts its entries are in.
#ifndef BUSHSTORE_DB_STATE_MEMTABLE_ITERATOR_H_
#define BUSHSTORE_DB_STATE_MEMTABLE_ITERATOR_H_

#include "db/mem/memtable.h"
#include "iterator/internal_iterator.h"

namespace leveldb {

// An iterator over internal keys. The caller deletes it, and keeps the memtable alive until then.
// Entries that are added later may be missing.
InternalIterator* NewMemTableIterator(const MemTable& memtable);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_MEMTABLE_ITERATOR_H_
