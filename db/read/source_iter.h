// Makes an iterator over everything in a view: every version of every key, in internal key order.
#ifndef BUSHSTORE_DB_READ_SOURCE_ITER_H_
#define BUSHSTORE_DB_READ_SOURCE_ITER_H_

#include "db/files/table_cache.h"
#include "db/state/read_view.h"
#include "iterator/internal_iterator.h"
#include "iterator/read_ahead.h"
#include "leveldb/options.h"

namespace leveldb {

// Returns an iterator whose value stays valid over one step back, but not over two. Entries that
// are added to the memtable later may be returned or not; entries up to a sequence that the caller
// has read before the call are returned.
//
// The caller deletes the result, and keeps the view and `read_ahead` (may be null) alive until
// then.
InternalIterator* NewSourceIterator(const ReadView& view, TableCache* table_cache,
                                    const ReadOptions& options, const ReadAhead* read_ahead);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_SOURCE_ITER_H_
