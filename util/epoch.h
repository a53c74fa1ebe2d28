// Grace periods for readers that take no lock.
//
// A reader that follows a shared pointer to something a writer may replace holds an EpochGuard
// meanwhile. The writer first makes the old object unreachable, then calls epoch::Advance, and may
// free the object once epoch::Passed says that every reader of that time has left:
//
//   reader:  EpochGuard guard;                    writer:  old = shared.exchange(fresh);
//            Thing* thing = shared.load();                 uint64_t e = epoch::Advance();
//            ... use *thing ...                            ... later ...
//                                                          if (epoch::Passed(e)) delete old;
//
// The shared pointer must be loaded and replaced with memory_order_seq_cst (the default): only that
// orders the reader's load behind the announcement its guard has made.
//
// How it works: a guard writes the current epoch into a slot that belongs to its thread (one store
// to a cache line no other thread writes) and clears it when it ends. Advance moves the epoch on;
// Passed looks through all slots for one that still holds an epoch so old.
//
// One clock serves the whole process. Any number of threads may take part; a thread's slot is
// claimed at its first guard and passed on when it ends. Guards nest. After fork, the child goes on
// without the threads that were left behind.
#ifndef BUSHSTORE_UTIL_EPOCH_H_
#define BUSHSTORE_UTIL_EPOCH_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "port/tls_model.h"

namespace leveldb {

namespace epoch {

// Begins a new epoch and returns the one that has ended. An object made unreachable before the call
// may be freed once the returned epoch has Passed.
uint64_t Advance();

// Whether no guard is left that began in this epoch or an earlier one.
bool Passed(uint64_t epoch);

// Waits until Passed(epoch), about so long at the most; returns whether it has passed. A caller
// that is inside a guard waits in vain.
bool Wait(uint64_t epoch, std::chrono::microseconds at_most);

}  // namespace epoch

namespace epoch_internal {

// Two cache lines, because CPUs fetch them in pairs.
struct alignas(128) Slot {
  std::atomic<uint64_t> epoch{0};   // That of the outermost guard; 0: no guard.
  uint64_t depth = 0;               // Guards of the owner, which alone looks at it.
  std::atomic<bool> claimed{true};  // Has an owner.
  Slot* next = nullptr;             // All slots there are; never changes, never freed.
};

extern std::atomic<uint64_t> current;
extern constinit thread_local Slot* thread_slot BUSHSTORE_TLS_MODEL;

// Finds or makes a slot for the calling thread and puts it into thread_slot.
Slot* ClaimSlot();

}  // namespace epoch_internal

class EpochGuard {
 public:
  [[gnu::always_inline]] EpochGuard() : slot_(epoch_internal::thread_slot) {
    if (__builtin_expect(slot_ == nullptr, false)) slot_ = epoch_internal::ClaimSlot();
    if (slot_->depth++ == 0) {
      slot_->epoch.store(epoch_internal::current.load(std::memory_order_acquire),
                         std::memory_order_seq_cst);
    }
  }

  ~EpochGuard() {
    if (--slot_->depth == 0) slot_->epoch.store(0, std::memory_order_release);
  }

  EpochGuard(const EpochGuard&) = delete;
  EpochGuard& operator=(const EpochGuard&) = delete;

 private:
  epoch_internal::Slot* slot_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_EPOCH_H_
