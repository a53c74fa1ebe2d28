// Iterates over the tables of one sorted level, or over consecutive files of it, as over one table.

#ifndef BUSHSTORE_DB_VERSION_LEVEL_ITERATOR_H_
#define BUSHSTORE_DB_VERSION_LEVEL_ITERATOR_H_

#include "db/files/table_cache.h"
#include "db/version/level_files.h"
#include "entry/internal_key.h"
#include "iterator/prefetchable_iterator.h"
#include "iterator/scan_hints.h"
#include "leveldb/options.h"

namespace leveldb {

// Returns an iterator over internal keys. It opens no table before the first Seek, and keeps at
// most two open: the current one, and the one last left by Prev(). The caller owns the result.
// `comparator`, `cache` and what `hints` point to must outlive it; it keeps `files` alive.
// hints.window is not used: the scan of a level has its own.
// REQUIRES: `files` are sorted and do not overlap.
PrefetchableIterator* NewLevelIterator(const ReadOptions& options,
                                       const InternalKeyComparator* comparator, TableCache* cache,
                                       LevelFilesPtr files, const ScanHints& hints = ScanHints());

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_LEVEL_ITERATOR_H_
