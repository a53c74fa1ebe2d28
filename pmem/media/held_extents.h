// HeldExtents: references on extents that are held as long as their owner exists.
#ifndef BUSHSTORE_PMEM_MEDIA_HELD_EXTENTS_H_
#define BUSHSTORE_PMEM_MEDIA_HELD_EXTENTS_H_

#include <vector>

#include "pmem/media/extents.h"

namespace leveldb {

// The extents of a memtable: its logs, and the values that its entries refer to. Only one thread at
// a time may add extents. The destructor, on any thread, releases all of them.
class HeldExtents {
 public:
  // `extents` is not owned and must outlive this object.
  explicit HeldExtents(Extents* extents) : extents_(extents) {}
  ~HeldExtents() {
    for (const PoolOffset extent : held_) extents_->Release(extent);
  }
  HeldExtents(const HeldExtents&) = delete;
  HeldExtents& operator=(const HeldExtents&) = delete;

  // Takes over a reference that the caller holds.
  void Adopt(PoolOffset extent) { held_.push_back(extent); }

  // Adds a reference. REQUIRES: the caller holds one.
  void Share(PoolOffset extent) {
    extents_->AddReference(extent);
    held_.push_back(extent);
  }

  const std::vector<PoolOffset>& held() const { return held_; }

 private:
  Extents* const extents_;
  std::vector<PoolOffset> held_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_HELD_EXTENTS_H_
