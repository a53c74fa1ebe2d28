// One iterator over everything in a view, in internal key order, every version of every key.
#ifndef BUSHSTORE_DB_READ_SOURCE_ITER_H_
#define BUSHSTORE_DB_READ_SOURCE_ITER_H_

#include "db/files/table_cache.h"
#include "db/state/read_view.h"
#include "iterator/internal_iterator.h"
#include "iterator/read_ahead.h"
#include "leveldb/options.h"

namespace leveldb {

// A value that it has shown stays where it is over one step back, but not over two. What is added
// to the memtable later may be there or not: entries up to a sequence that the caller has read
// before are.
//
// The caller deletes the result, and keeps the view and `read_ahead` (may be null) until then.
InternalIterator* NewSourceIterator(const ReadView& view, TableCache* table_cache,
                                    const ReadOptions& options, const ReadAhead* read_ahead);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_SOURCE_ITER_H_
