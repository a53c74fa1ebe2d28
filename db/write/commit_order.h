// CommitOrder keeps one order of all writes while two threads write concurrently.
//
// A write takes its sequence numbers, and with them its offset in the log, in a few instructions
// under a spin lock. It then stores, fences and inserts concurrently with writes of other shards,
// and becomes visible when all writes before it are visible. So the visible writes are always a
// prefix of the order, and so are the acknowledged ones.
//
// A write that has waited for its turn for some time announces that it is ready, and then the next
// writer makes it visible. So a thread that waits without a processor does not block others for
// long. A thread may also lose its processor before its write is ready; so jobs in the pool check
// whether a writer is waiting and yield to it.
#ifndef BUSHSTORE_DB_WRITE_COMMIT_ORDER_H_
#define BUSHSTORE_DB_WRITE_COMMIT_ORDER_H_

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "db/version/version_set.h"
#include "db/write/commit_gate.h"
#include "entry/internal_key.h"
#include "pmem/wal/wal_tail.h"
#include "port/cache_line.h"
#include "port/cpu.h"
#include "port/spin_lock.h"
#include "port/thread_annotations.h"
#include "util/prefetch.h"

namespace leveldb {

class DbState;

class CommitOrder {
 public:
  // The sequence numbers of a write.
  struct Turn {
    SequenceNumber first = 0;
    SequenceNumber last = 0;
    bool is_behind_others = false;  // writes before it may not be visible yet
  };

  // `state` is not owned and must outlive the order. Its versions hold the last visible sequence.
  explicit CommitOrder(DbState* state);
  CommitOrder(const CommitOrder&) = delete;
  CommitOrder& operator=(const CommitOrder&) = delete;

  // Returns the tail of the log that `take` reserves space in. It lies in the cache line of the
  // lock, so that Begin waits for one line only. Changed by `take`, or under exclusive access.
  WalTail* tail() { return &tail_; }

  // Prefetches the memory that Begin changes. Thread-safe.
  void PrefetchLock() const { PrefetchLineToWrite(&lock_); }

  // Numbers a write of `count` entries, at least one, after all other writes, and calls take(first
  // number) while no other write can be numbered. Returns false, without side effects, if take
  // returns false or if there are no numbers left. Thread-safe.
  template <class Take>
  bool Begin(uint64_t count, const Take& take, Turn* turn) {
    const SequenceNumber visible = versions_->LastSequence();  // before the lock: no one waits
    const SpinLockHolder lock(&lock_);
    if (count > kMaxSequenceNumber - last_) return false;
    if (!take(last_ + 1)) return false;
    turn->first = last_ + 1;
    turn->last = last_ + count;
    turn->is_behind_others = last_ != visible;
    last_ = turn->last;
    return true;
  }

  // Makes the write of that shard visible when all writes before it are. Returns false if one of
  // them never will be. Thread-safe, for one thread in each shard.
  bool End(const Turn& turn, size_t shard) {
    for (int look = 0; look < kLooks; look++) {
      if (versions_->LastSequence() + 1 == turn.first) {
        versions_->SetLastSequence(turn.last);
        return true;
      }
      CpuRelax();
    }
    return WaitForTurn(turn, shard);
  }

  // Records that a write that has begun has failed: the writes after it never become visible.
  // Thread-safe.
  void Break() { is_broken_.store(true, std::memory_order_release); }

  // Makes writes up to `last` visible that were numbered without Begin. REQUIRES: no other thread
  // writes.
  void Skip(SequenceNumber last) {
    const SpinLockHolder lock(&lock_);
    assert(versions_->LastSequence() == last_);
    last_ = last;
    versions_->SetLastSequence(last);
  }

 private:
  // The last write of a shard that has waited for its turn and can be made visible.
  struct alignas(kApartBytes) Ready {
    std::atomic<SequenceNumber> first{0};  // 0: none yet
    std::atomic<SequenceNumber> last{0};   // stored before `first`

    void Set(const Turn& turn);
  };

  // Usually the write before becomes visible after a few loads.
  static constexpr int kLooks = 32;

  bool WaitForTurn(const Turn& turn, size_t shard);
  bool ShowNext();

  VersionSet* const versions_;
  std::atomic<int>* const waiting_for_turns_;
  std::atomic<bool> is_broken_{false};
  std::array<Ready, CommitGate::kShards> ready_;
  alignas(kApartBytes) SpinLock lock_;
  SequenceNumber last_ GUARDED_BY(lock_);  // the last number assigned
  WalTail tail_;
  static_assert(2 * sizeof(SequenceNumber) + sizeof(WalTail) <= kCacheLineBytes);
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_COMMIT_ORDER_H_
