// Inserts the entries of a write batch into a memtable.
#ifndef BUSHSTORE_DB_MEM_BATCH_INSERT_H_
#define BUSHSTORE_DB_MEM_BATCH_INSERT_H_

#include "db/mem/memtable.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Adds every entry of `batch` (bytes as in entry/batch_cursor.h) to `*memtable`, numbered from the
// batch's sequence on. At a malformed entry it stops and returns Corruption; the entries before it
// have been added. REQUIRES: no other thread adds to the memtable.
Status InsertBatch(const Slice& batch, MemTable* memtable);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_BATCH_INSERT_H_
