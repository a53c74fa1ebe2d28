// The references on extents that somebody holds as long as it lives.
#ifndef BUSHSTORE_PMEM_MEDIA_HELD_EXTENTS_H_
#define BUSHSTORE_PMEM_MEDIA_HELD_EXTENTS_H_

#include <vector>

#include "pmem/media/extents.h"

namespace leveldb {

// What a memtable has of the pool: its logs, and the values that its entries refer to. One thread
// at a time may add; the last owner, on any thread, gives everything back.
class HeldExtents {
 public:
  // `extents` is not owned and must outlive this object.
  explicit HeldExtents(Extents* extents) : extents_(extents) {}
  ~HeldExtents() {
    for (const PoolOffset extent : held_) extents_->Release(extent);
  }
  HeldExtents(const HeldExtents&) = delete;
  HeldExtents& operator=(const HeldExtents&) = delete;

  // Takes over a reference of the caller's.
  void Adopt(PoolOffset extent) { held_.push_back(extent); }

  // Takes a reference of its own. REQUIRES: the caller holds one.
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
