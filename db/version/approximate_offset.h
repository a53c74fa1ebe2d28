// How many bytes of a version's trees and tables come before a key.

#ifndef BUSHSTORE_DB_VERSION_APPROXIMATE_OFFSET_H_
#define BUSHSTORE_DB_VERSION_APPROXIMATE_OFFSET_H_

#include <cstdint>

#include "db/version/version.h"
#include "leveldb/slice.h"

namespace leveldb {

class TableCache;

// Sums, over all trees and tables of `version`, about how many of their bytes hold entries before
// `internal_key`; of trees, bytes of keys and values. Tables that straddle the key are opened
// through `cache`. Any thread.
uint64_t ApproximateOffsetOf(const Version& version, TableCache* cache, const Slice& internal_key);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_APPROXIMATE_OFFSET_H_
