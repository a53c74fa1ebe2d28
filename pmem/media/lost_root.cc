#include "pmem/media/lost_root.h"

#include <algorithm>
#include <bit>

#include "pmem/media/extent_header.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_front.h"
#include "util/round.h"

namespace leveldb {

bool RebuildIdentity(const char* base, uint64_t bytes, const PoolId& id, PoolIdentity* identity) {
  const uint64_t folded = id.Folded();
  PoolOffset all_offsets = 0;  // or-ed: the lowest set bit is the largest common step
  uint64_t largest = Pool::kExtentBytesMax;
  PoolOffset last = kNoPoolOffset;
  uint32_t last_length = 1;
  const uint64_t first = RoundUp(PoolFront::MetadataEnd(), Pool::kExtentBytesMin);
  for (PoolOffset run = first; run + ExtentHeader::kSize <= bytes; run += Pool::kExtentBytesMin) {
    uint32_t length;
    if (!IsExtentHeader(base + run, run, folded, &length) || length == 0) continue;
    all_offsets |= run;
    // A run ends before the next begins.
    if (last != kNoPoolOffset) largest = std::min(largest, (run - last) / last_length);
    last = run;
    last_length = length;
  }
  if (all_offsets == 0) return false;
  *identity = PoolIdentity();
  identity->id = id;
  identity->extent_size =
      std::max(std::min(uint64_t{1} << std::countr_zero(all_offsets), std::bit_floor(largest)),
               Pool::kExtentBytesMin);
  identity->here = PoolFront(base, bytes).RootOffset();
  return true;
}

}  // namespace leveldb
