// Who may write: one thread in each lane, beside each other, or one alone.
//
// Writing beside others is what happens all the time: entering takes a store to a cache line of the
// lane's own and a look at one that hardly ever changes (Dekker's way of excluding each other).
// A thread that wants to be alone stops the others from entering and waits until they are out.
#ifndef BUSHSTORE_DB_WRITE_LANE_GATE_H_
#define BUSHSTORE_DB_WRITE_LANE_GATE_H_

#include <array>
#include <atomic>
#include <cstddef>

#include "port/cache_line.h"
#include "port/cpu.h"
#include "port/mutex.h"
#include "port/spin_wait.h"
#include "port/thread_annotations.h"

namespace leveldb {

class LaneGate {
 public:
  static constexpr size_t kLanes = 2;

  LaneGate() = default;
  LaneGate(const LaneGate&) = delete;
  LaneGate& operator=(const LaneGate&) = delete;

  // Beside others, from here to the end of the scope. REQUIRES: no other thread is in that lane,
  // and this one is not in the gate.
  class Beside {
   public:
    Beside(LaneGate* gate, size_t lane) : gate_(gate), lane_(lane) { Enter(); }
    ~Beside() { Leave(); }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    // For a rest in between. What has been read inside may change.
    void Enter() { gate_->EnterBeside(lane_); }
    void Leave() { gate_->lanes_[lane_].is_inside.store(false, std::memory_order_release); }

   private:
    LaneGate* const gate_;
    const size_t lane_;
  };

  // Alone, from here to the end of the scope. REQUIRES: this thread is not in the gate.
  class Alone {
   public:
    explicit Alone(LaneGate* gate) NO_THREAD_SAFETY_ANALYSIS : gate_(gate) {
      gate_->mutex_.Lock();
      gate_->SendOthersOut();
    }
    ~Alone() NO_THREAD_SAFETY_ANALYSIS {
      gate_->is_alone_.store(false, std::memory_order_release);
      gate_->mutex_.Unlock();
    }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    LaneGate* const gate_;
  };

 private:
  struct alignas(kApartBytes) Lane {
    std::atomic<bool> is_inside{false};
  };

  // Mostly whoever is alone is out again sooner than a thread falls asleep: to give the log its
  // next extent takes a few microseconds. So many looks take about five on a Xeon.
  static constexpr int kLooks = 400;

  void EnterBeside(size_t lane) {
    std::atomic<bool>& is_inside = lanes_[lane].is_inside;
    while (true) {
      is_inside.store(true, std::memory_order_seq_cst);
      if (!is_alone_.load(std::memory_order_seq_cst)) return;
      is_inside.store(false, std::memory_order_release);
      WaitUntilNoneIsAlone();
    }
  }

  void WaitUntilNoneIsAlone() {
    for (int look = 0; look < kLooks; look++) {
      CpuRelax();
      if (!is_alone_.load(std::memory_order_acquire)) return;
    }
    const MutexLock until_the_other_is_out(&mutex_);
  }

  void SendOthersOut() {
    is_alone_.store(true, std::memory_order_seq_cst);
    for (const Lane& lane : lanes_) {
      for (SpinWait wait; lane.is_inside.load(std::memory_order_seq_cst);) wait.Once();
    }
  }

  std::array<Lane, kLanes> lanes_;
  alignas(kApartBytes) std::atomic<bool> is_alone_{false};
  Mutex mutex_;  // of who is alone
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_LANE_GATE_H_
