#include "pmem/media/extent_search.h"

#include <algorithm>

namespace leveldb {

std::vector<FoundExtent> FindFirstRuns(const Pool& pool, ExtentKind kind) {
  const uint64_t extent_size = pool.extent_size();
  std::vector<FoundExtent> found;
  for (const Slab& slab : pool.slabs()) {
    PoolOffset extent = (slab.begin + extent_size - 1) & ~(extent_size - 1);
    for (; extent + extent_size <= slab.end; extent += extent_size) {
      ExtentHeader header;
      if (!pool.Contains(extent, extent_size) || !MayBeginWith(pool, extent, kind)) continue;
      if (!ReadExtentHeader(pool, extent, &header).ok() || header.position != 0) continue;
      found.push_back({extent, header});
    }
  }
  std::sort(found.begin(), found.end(), [](const FoundExtent& a, const FoundExtent& b) {
    return a.header.object < b.header.object;
  });
  return found;
}

}  // namespace leveldb
