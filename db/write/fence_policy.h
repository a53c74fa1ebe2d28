// When what has been stored in the pool becomes persistent.
//
// With a granularity of 0 every group is fenced before it is acknowledged. With N, at most N bytes
// of acknowledged records are not, and none for longer than 100 ms: the leader that passes the
// bound flushes and fences for all leaders before it, and a timer sees to records that nobody
// follows. Values never wait: they go past the caches, and of such stores only the thread that made
// them can tell when they have arrived. A synced write makes everything persistent, on every
// medium.
#ifndef BUSHSTORE_DB_WRITE_FENCE_POLICY_H_
#define BUSHSTORE_DB_WRITE_FENCE_POLICY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "leveldb/status.h"
#include "pmem/media/pending_stores.h"

namespace leveldb {

// Used by one thread at a time, but for HasUnfenced().
class FencePolicy {
 public:
  // `stores` are deferred if granularity_bytes is not 0.
  FencePolicy(uint64_t granularity_bytes, std::unique_ptr<PendingStores> stores)
      : granularity_bytes_(granularity_bytes), stores_(std::move(stores)) {}

  PendingStores* stores() { return stores_.get(); }
  bool DefersFences() const { return stores_->deferred(); }

  // Before a write is acknowledged that asked for no sync; `has_values` tells whether it has stored
  // any.
  void BeforeAcknowledgement(bool has_values) {
    const bool flushes = stores_->deferred() && stores_->bytes() > granularity_bytes_;
    if (flushes) stores_->Flush();
    if (flushes || has_values || !stores_->deferred()) stores_->persist()->Fence();
  }

  // The same for one that did.
  Status Sync() {
    stores_->Flush();
    return stores_->persist()->Sync();
  }

  void Fence() {
    stores_->Flush();
    stores_->persist()->Fence();
  }

  // Any thread.
  bool HasUnfenced() const { return stores_->bytes() > 0; }

 private:
  const uint64_t granularity_bytes_;
  const std::unique_ptr<PendingStores> stores_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_FENCE_POLICY_H_
