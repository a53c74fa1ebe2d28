// Searches in the files of one level.

#ifndef BUSHSTORE_DB_VERSION_LEVEL_SEARCH_H_
#define BUSHSTORE_DB_VERSION_LEVEL_SEARCH_H_

#include <cstddef>

#include "db/version/level_files.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"

namespace leveldb {

// Returns the index of the first file whose largest key is at or after `internal_key`; the number
// of files if there is none. Only that file can hold the key.
// REQUIRES: the level is sorted and its files do not overlap (levels from 1 on).
size_t FindFile(const InternalKeyComparator& comparator, const LevelFiles& level,
                const Slice& internal_key);

// The same for user keys: the first file whose largest user key is at or after `user_key`.
size_t FindFileOfUserKey(const InternalKeyComparator& comparator, const LevelFiles& level,
                         const Slice& user_key);

// Returns whether `file` may hold a user key within [*smallest, *largest]; a null bound is open.
bool FileOverlapsRange(const Comparator* user_comparator, const FileMeta& file,
                       const Slice* smallest, const Slice* largest);

// The same for any file of a sorted level, by binary search.
bool SortedLevelOverlapsRange(const InternalKeyComparator& comparator, const LevelFiles& level,
                              const Slice* smallest, const Slice* largest);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_LEVEL_SEARCH_H_
