// SlabMap: which pool offsets may be accessed: those in whole extents inside the slabs, except
// extents that have bad blocks.
#ifndef BUSHSTORE_PMEM_MEDIA_SLAB_MAP_H_
#define BUSHSTORE_PMEM_MEDIA_SLAB_MAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "pmem/media/bad_blocks.h"
#include "pmem/media/pool_offset.h"
#include "port/mutex.h"

namespace leveldb {

// A contiguous part of the pool that is divided into extents.
struct Slab {
  PoolOffset begin = kNoPoolOffset;
  PoolOffset end = kNoPoolOffset;

  friend bool operator==(const Slab& a, const Slab& b) = default;
};

// Thread-safe. Slabs are added and never removed.
class SlabMap {
 public:
  // REQUIRES: all pool offsets are below reserved_bytes; the extent size is a power of two.
  SlabMap(uint64_t reserved_bytes, uint64_t extent_size);

  SlabMap(const SlabMap&) = delete;
  SlabMap& operator=(const SlabMap&) = delete;

  // Adds a slab, without the extents that overlap one of the bad ranges.
  void Add(const Slab& slab, const std::vector<ByteRange>& bad_ranges = {});

  // Returns true if [pool_offset, pool_offset + n) lies in whole extents of slabs, without those
  // left out. The arguments may be any numbers. Takes no lock.
  bool Contains(PoolOffset pool_offset, size_t n) const;

  // Bytes in slabs.
  uint64_t bytes() const { return bytes_.load(std::memory_order_acquire); }
  // Returns the slabs in the order in which they were added, including at least those that bytes()
  // has counted.
  std::vector<Slab> slabs() const;

 private:
  bool IsUsable(uint64_t extent) const;

  const uint64_t reserved_bytes_;
  const int extent_shift_;
  // One bit per extent.
  const std::unique_ptr<std::atomic<uint64_t>[]> usable_;
  std::atomic<uint64_t> bytes_{0};
  mutable Mutex mutex_;
  std::vector<Slab> slabs_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_SLAB_MAP_H_
