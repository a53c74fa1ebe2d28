// When what has been stored in the pool becomes persistent.
//
// With a granularity of 0 every group is fenced before it is acknowledged. With N, at most N bytes
// of acknowledged writes are not, and none for longer than 100 ms: the leader that passes the bound
// flushes and fences for all leaders before it, and a timer sees to writes that nobody follows. A
// synced write makes everything persistent, on every medium.
#ifndef BUSHSTORE_DB_WRITE_FENCE_POLICY_H_
#define BUSHSTORE_DB_WRITE_FENCE_POLICY_H_

#include <cstdint>
#include <memory>

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

  // Before a write is acknowledged that asked for no sync.
  void BeforeAcknowledgement() {
    if (!stores_->deferred()) {
      stores_->persist()->Fence();
    } else if (stores_->bytes() > granularity_bytes_) {
      Fence();
    }
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
