// GarbageTally: how much of each value extent is still referred to. It only adds up sums; it reads
// nothing from the pool.
#ifndef BUSHSTORE_PMEM_VALUE_GARBAGE_H_
#define BUSHSTORE_PMEM_VALUE_GARBAGE_H_

#include <cstdint>
#include <vector>

#include "pmem/media/pool_offset.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

// What all trees together refer to in one value extent.
struct ExtentGarbage {
  PoolOffset extent = kNoPoolOffset;
  uint64_t live_bytes = 0;
  double garbage_share = 0;  // of the room for values: 0 to 1

  bool operator==(const ExtentGarbage&) const = default;
};

// Adds up the uses of any number of trees: call Add for each tree, then Extents. The references of
// logs and memtables are not known here: extents that they hold must be left alone whatever their
// share is.
class GarbageTally {
 public:
  explicit GarbageTally(uint64_t extent_size) : extent_size_(extent_size) {}

  void Add(const std::vector<ValueExtentUse>& uses);

  // Returns every extent that was added, ordered by pool offset.
  std::vector<ExtentGarbage> Extents();

 private:
  const uint64_t extent_size_;
  std::vector<ExtentGarbage> shown_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_VALUE_GARBAGE_H_
