// PendingStores: how writes are stored into the pool before they are acknowledged: around the
// caches at once, or through the caches and flushed together later.
//
// A copy around the caches belongs to the thread that made it: only a fence of that thread makes it
// persistent. Writes that may stay unfenced for a while, until another thread has become the leader
// of the write queue, are therefore plain stores. Their ranges are kept here, and any thread can
// flush them.
#ifndef BUSHSTORE_PMEM_MEDIA_PENDING_STORES_H_
#define BUSHSTORE_PMEM_MEDIA_PENDING_STORES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "pmem/media/persist.h"

namespace leveldb {

// Used by one thread at a time, except bytes(), and except Store() if stores are not deferred.
class PendingStores {
 public:
  // `persist` is not owned and must outlive this object.
  PendingStores(Persist* persist, bool deferred) : persist_(persist), deferred_(deferred) {}
  PendingStores(const PendingStores&) = delete;
  PendingStores& operator=(const PendingStores&) = delete;

  // Returns true if stores wait for Flush.
  bool deferred() const { return deferred_; }
  Persist* persist() const { return persist_; }

  // Stores from[0, n) at `to`, in the pool.
  void Store(char* to, const void* from, size_t n) {
    if (!deferred_) {
      persist_->Copy(to, from, n);
      return;
    }
    memcpy(to, from, n);
    Note(to, n);
    bytes_.store(bytes() + n, std::memory_order_relaxed);
  }

  // Flushes the pending stores, which are persistent after the next fence of this thread. Stores
  // that were not deferred need that fence, too.
  void Flush() {
    for (const Range& range : ranges_) persist_->Flush(range.begin, range.end - range.begin);
    ranges_.clear();
    bytes_.store(0, std::memory_order_relaxed);
  }

  // Returns the deferred bytes that wait for Flush. May be called by any thread.
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Range {
    char* begin;
    char* end;
  };

  // There are few streams (the log, the values), so a range usually continues one of the latest.
  void Note(char* to, size_t n) {
    constexpr size_t kStreams = 2;
    for (size_t i = ranges_.size(); i > 0 && i + kStreams > ranges_.size(); i--) {
      Range& range = ranges_[i - 1];
      if (range.end <= to && to - range.end < static_cast<ptrdiff_t>(kLineBytes)) {
        range.end = to + n;
        return;
      }
    }
    ranges_.push_back({to, to + n});
  }

  static constexpr size_t kLineBytes = 64;

  Persist* const persist_;
  const bool deferred_;
  std::vector<Range> ranges_;
  std::atomic<size_t> bytes_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_PENDING_STORES_H_
