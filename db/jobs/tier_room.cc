#include "db/jobs/tier_room.h"

#include <algorithm>

#include "pmem/pmem_tier.h"

namespace leveldb {

uint64_t TierRoom::FreeBytes() const {
  const Extents& extents = *state_->tier()->extents();
  return extents.capacity_bytes() - std::min(extents.capacity_bytes(), extents.used_bytes());
}

uint64_t TierRoom::FreeBesideFlushes(uint64_t trees) const {
  const uint64_t extent_size = state_->tier()->pool()->extent_size();
  const uint64_t kept = trees * (flushed_leaf_bytes_ + kExtentsPerTree * extent_size);
  const uint64_t free = FreeBytes();
  return free - std::min(free, kept);
}

bool TierRoom::IsNoneSince(uint64_t failed_use) const {
  return failed_use > 0 && state_->tier()->extents()->used_bytes() >= failed_use;
}

}  // namespace leveldb
