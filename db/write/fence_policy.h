// FencePolicy decides when data stored in the pool becomes persistent.
//
// With a granularity of 0 every group is fenced before it is acknowledged. With a granularity of N
// bytes, at most N bytes of acknowledged writes are unfenced, and none for longer than 100 ms. Both
// the keys and values (including separated values) and their records are counted: the leader that
// exceeds the bound with either flushes and fences for all leaders before it, and a timer fences
// records that no later write follows. Values are never deferred: they are written with
// non-temporal stores, and only the thread that made such stores can tell when they have arrived. A
// synced write makes everything persistent, on every medium.
#ifndef BUSHSTORE_DB_WRITE_FENCE_POLICY_H_
#define BUSHSTORE_DB_WRITE_FENCE_POLICY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "leveldb/status.h"
#include "pmem/media/pending_stores.h"

namespace leveldb {

// Used by one thread at a time, except HasUnfenced().
class FencePolicy {
 public:
  // `stores` are deferred if granularity_bytes is not 0.
  FencePolicy(uint64_t granularity_bytes, std::unique_ptr<PendingStores> stores)
      : granularity_bytes_(granularity_bytes), stores_(std::move(stores)) {}

  PendingStores* stores() { return stores_.get(); }
  bool DefersFences() const { return stores_->deferred(); }

  // Called before a write of `user_bytes` of keys and values without sync is acknowledged;
  // `has_values` tells whether it has stored any separated values.
  void BeforeAcknowledgement(uint64_t user_bytes, bool has_values) {
    unfenced_user_bytes_ += user_bytes;
    const bool flushes = stores_->deferred() && (stores_->bytes() > granularity_bytes_ ||
                                                 unfenced_user_bytes_ > granularity_bytes_);
    if (flushes) Flush();
    if (flushes || has_values || !stores_->deferred()) stores_->persist()->Fence();
  }

  // Called instead before a write with sync is acknowledged.
  Status Sync() {
    Flush();
    return stores_->persist()->Sync();
  }

  void Fence() {
    Flush();
    stores_->persist()->Fence();
  }

  // Thread-safe.
  bool HasUnfenced() const { return stores_->bytes() > 0; }

 private:
  void Flush() {
    stores_->Flush();
    unfenced_user_bytes_ = 0;
  }

  const uint64_t granularity_bytes_;
  uint64_t unfenced_user_bytes_ = 0;  // since the last flush
  const std::unique_ptr<PendingStores> stores_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_FENCE_POLICY_H_
