// CommitGate controls which threads may write: one thread per shard at the same time (shared
// access), or one thread alone (exclusive access).
//
// Shared access is the common case: entering takes a store to a cache line of the shard's own and a
// load of one that hardly ever changes (Dekker's algorithm for mutual exclusion). A thread that
// requires exclusive access stops the others from entering and waits until they have left.
#ifndef BUSHSTORE_DB_WRITE_COMMIT_GATE_H_
#define BUSHSTORE_DB_WRITE_COMMIT_GATE_H_

#include <array>
#include <atomic>
#include <cstddef>

#include "port/cache_line.h"
#include "port/cpu.h"
#include "port/mutex.h"
#include "port/spin_wait.h"
#include "port/thread_annotations.h"

namespace leveldb {

class CommitGate {
 public:
  static constexpr size_t kShards = 2;

  CommitGate() = default;
  CommitGate(const CommitGate&) = delete;
  CommitGate& operator=(const CommitGate&) = delete;

  // Holds shared access from here to the end of the scope. REQUIRES: no other thread is in that
  // shard, and this thread has no access yet.
  class Shared {
   public:
    Shared(CommitGate* gate, size_t shard) : gate_(gate), shard_(shard) { Enter(); }
    ~Shared() { Leave(); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    // Leave and Enter allow a delay in between. What was read before Leave may have changed after
    // Enter.
    void Enter() { gate_->EnterShared(shard_); }
    void Leave() { gate_->shards_[shard_].is_inside.store(false, std::memory_order_release); }

   private:
    CommitGate* const gate_;
    const size_t shard_;
  };

  // Holds exclusive access from here to the end of the scope. REQUIRES: this thread has no access
  // yet.
  class Exclusive {
   public:
    explicit Exclusive(CommitGate* gate) NO_THREAD_SAFETY_ANALYSIS : gate_(gate) {
      gate_->mutex_.Lock();
      gate_->SendOthersOut();
    }
    ~Exclusive() NO_THREAD_SAFETY_ANALYSIS {
      gate_->is_exclusive_.store(false, std::memory_order_release);
      gate_->mutex_.Unlock();
    }
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

   private:
    CommitGate* const gate_;
  };

 private:
  struct alignas(kApartBytes) Shard {
    std::atomic<bool> is_inside{false};
  };

  // The number of loads before a thread goes to sleep. Exclusive access usually ends sooner than a
  // thread falls asleep: to give the log its next extent takes a few microseconds. So many loads
  // take about five microseconds on a Xeon.
  static constexpr int kLooks = 400;

  void EnterShared(size_t shard) {
    std::atomic<bool>& is_inside = shards_[shard].is_inside;
    while (true) {
      is_inside.store(true, std::memory_order_seq_cst);
      if (!is_exclusive_.load(std::memory_order_seq_cst)) return;
      is_inside.store(false, std::memory_order_release);
      WaitWhileExclusive();
    }
  }

  void WaitWhileExclusive() {
    for (int look = 0; look < kLooks; look++) {
      CpuRelax();
      if (!is_exclusive_.load(std::memory_order_acquire)) return;
    }
    const MutexLock until_the_other_is_out(&mutex_);
  }

  void SendOthersOut() {
    is_exclusive_.store(true, std::memory_order_seq_cst);
    for (const Shard& shard : shards_) {
      for (SpinWait wait; shard.is_inside.load(std::memory_order_seq_cst);) wait.Once();
    }
  }

  std::array<Shard, kShards> shards_;
  alignas(kApartBytes) std::atomic<bool> is_exclusive_{false};
  Mutex mutex_;  // held during exclusive access
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_COMMIT_GATE_H_
