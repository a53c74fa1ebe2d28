// Finds objects by the headers of their first runs, when what should name them is damaged.
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

// The first runs of all logs, or of all trees, by the number of the object: whatever the pool still
// holds of them, in use or not.
std::vector<FoundExtent> FindFirstRuns(const Pool& pool, ExtentKind kind);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_EXTENT_SEARCH_H_
