// Finds objects by the headers of their first runs, for use when the structures that name them are
// damaged.
#ifndef BUSHSTORE_PMEM_MEDIA_EXTENT_SEARCH_H_
#define BUSHSTORE_PMEM_MEDIA_EXTENT_SEARCH_H_

#include <vector>

#include "pmem/media/extent_header.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

struct FoundExtent {
  PoolOffset pool_offset = kNoPoolOffset;
  ExtentHeader header;
};

// Returns the first runs of all objects of a kind, ordered by the number of the object. Includes
// all that the pool still holds, in use or not.
std::vector<FoundExtent> FindFirstRuns(const Pool& pool, ExtentKind kind);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_EXTENT_SEARCH_H_
