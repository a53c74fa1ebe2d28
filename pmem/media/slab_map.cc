#include "pmem/media/slab_map.h"

#include <bit>
#include <cassert>

namespace leveldb {

namespace {

constexpr size_t kBitsPerWord = 64;

}  // namespace

SlabMap::SlabMap(uint64_t reserved_bytes, uint64_t extent_size)
    : reserved_bytes_(reserved_bytes),
      extent_shift_(std::countr_zero(extent_size)),
      usable_(new std::atomic<uint64_t>[reserved_bytes / extent_size / kBitsPerWord + 1]()) {
  assert(std::has_single_bit(extent_size));
}

void SlabMap::Add(const Slab& slab, const std::vector<ByteRange>& bad_ranges) {
  assert(slab.begin <= slab.end);
  assert(slab.end <= reserved_bytes_);
  const uint64_t first = (slab.begin + (uint64_t{1} << extent_shift_) - 1) >> extent_shift_;
  const uint64_t end = slab.end >> extent_shift_;
  for (uint64_t i = first; i < end; i++) {
    if (Overlaps(bad_ranges, i << extent_shift_, size_t{1} << extent_shift_)) continue;
    usable_[i / kBitsPerWord].fetch_or(uint64_t{1} << (i % kBitsPerWord),
                                       std::memory_order_release);
  }
  {
    MutexLock lock(&mutex_);
    slabs_.push_back(slab);
  }
  bytes_.fetch_add(slab.end - slab.begin, std::memory_order_release);
}

bool SlabMap::IsUsable(uint64_t extent) const {
  const uint64_t bits = usable_[extent / kBitsPerWord].load(std::memory_order_acquire);
  return (bits >> (extent % kBitsPerWord) & 1) != 0;
}

bool SlabMap::Contains(PoolOffset pool_offset, size_t n) const {
  if (pool_offset >= reserved_bytes_ || n > reserved_bytes_ - pool_offset) return false;
  const uint64_t first = pool_offset >> extent_shift_;
  const uint64_t last = n == 0 ? first : (pool_offset + n - 1) >> extent_shift_;
  for (uint64_t i = first; i <= last; i++) {
    if (!IsUsable(i)) return false;
  }
  return true;
}

std::vector<Slab> SlabMap::slabs() const {
  MutexLock lock(&mutex_);
  return slabs_;
}

}  // namespace leveldb
