// RetiredTrees: holds the extents of trees that are no longer read until a cleanup releases them.
#ifndef BUSHSTORE_PMEM_BPTREE_RETIRED_TREES_H_
#define BUSHSTORE_PMEM_BPTREE_RETIRED_TREES_H_

#include <atomic>
#include <utility>
#include <vector>

#include "pmem/media/pool_offset.h"
#include "port/mutex.h"

namespace leveldb {

// The last reader of a tree may be any thread, in the middle of a read, so it only queues the
// references that the tree held. Each extent is listed once for every reference to release.
// Thread-safe.
class RetiredTrees {
 public:
  void Add(std::vector<PoolOffset> extents) {
    if (extents.empty()) return;
    MutexLock lock(&mutex_);
    if (extents_.empty()) {
      extents_ = std::move(extents);
    } else {
      extents_.insert(extents_.end(), extents.begin(), extents.end());
    }
    has_any_.store(true, std::memory_order_release);
  }

  // Takes no lock.
  bool empty() const { return !has_any_.load(std::memory_order_acquire); }

  // Returns what was added since the last call.
  std::vector<PoolOffset> TakeAll() {
    MutexLock lock(&mutex_);
    has_any_.store(false, std::memory_order_relaxed);
    return std::exchange(extents_, {});
  }

 private:
  Mutex mutex_;
  std::vector<PoolOffset> extents_ GUARDED_BY(mutex_);
  std::atomic<bool> has_any_{false};
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_RETIRED_TREES_H_
