// Who may write: one thread in each shard, beside each other, or one alone.
//
// Writing beside others is what happens all the time: entering takes a store to a cache line of the
// shard's own and a look at one that hardly ever changes (Dekker's way of excluding each other).
// A thread that wants to be alone stops the others from entering and waits until they are out.
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

  // Beside others, from here to the end of the scope. REQUIRES: no other thread is in that shard,
  // and this one is not in the gate.
  class Shared {
   public:
    Shared(CommitGate* gate, size_t shard) : gate_(gate), shard_(shard) { Enter(); }
    ~Shared() { Leave(); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    // For a rest in between. What has been read inside may change.
    void Enter() { gate_->EnterShared(shard_); }
    void Leave() { gate_->shards_[shard_].is_inside.store(false, std::memory_order_release); }

   private:
    CommitGate* const gate_;
    const size_t shard_;
  };

  // Alone, from here to the end of the scope. REQUIRES: this thread is not in the gate.
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

  // Mostly whoever is alone is out again sooner than a thread falls asleep: to give the log its
  // next extent takes a few microseconds. So many looks take about five on a Xeon.
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
  Mutex mutex_;  // of who is alone
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_COMMIT_GATE_H_
