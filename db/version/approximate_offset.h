// Estimates how many bytes of a version's trees and tables come before a key.

#ifndef BUSHSTORE_DB_VERSION_APPROXIMATE_OFFSET_H_
#define BUSHSTORE_DB_VERSION_APPROXIMATE_OFFSET_H_

#include <cstdint>

#include "db/version/version.h"
#include "leveldb/slice.h"

namespace leveldb {

class TableCache;

// Returns about how many bytes of all trees and tables of `version` hold entries before
// `internal_key`; for trees, bytes of keys and values. Tables that straddle the key are opened
// through `cache`. Any thread.
uint64_t ApproximateOffsetOf(const Version& version, TableCache* cache, const Slice& internal_key);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_APPROXIMATE_OFFSET_H_
