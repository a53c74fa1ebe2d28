// Epochs are grace periods for readers that take no lock.
//
// A reader holds an EpochGuard while it follows a shared pointer to an object that a writer may
// replace. The writer first makes the old object unreachable, then calls epoch::Advance, and may
// free the object once epoch::Passed returns true, that is, once every guard of that time has
// ended:
//
//   reader:  EpochGuard guard;                    writer:  old = shared.exchange(fresh);
//            Thing* thing = shared.load();                 uint64_t e = epoch::Advance();
//            ... use *thing ...                            ... later ...
//                                                          if (epoch::Passed(e)) delete old;
//
// The shared pointer must be loaded and replaced with memory_order_seq_cst (the default): only that
// orders the reader's load after the announcement that its guard has made.
//
// How it works: a guard writes the current epoch into a slot that belongs to its thread (one store
// to a cache line no other thread writes) and clears it when it ends. Advance moves the epoch on;
// Passed searches all slots for one that still holds that epoch or an older one.
//
// The epoch is common to the whole process. Any number of threads may take part; a thread claims a
// slot at its first guard, and the slot is used again after the thread ends. Guards nest. After a
// fork, the child continues without the threads of its parent.
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

// Returns whether every guard that began in this epoch or an earlier one has ended.
bool Passed(uint64_t epoch);

// Waits until Passed(epoch), for about `at_most`; returns whether it has passed. A caller inside a
// guard waits in vain.
bool Wait(uint64_t epoch, std::chrono::microseconds at_most);

}  // namespace epoch

namespace epoch_internal {

// A slot takes two cache lines, because CPUs fetch them in pairs.
struct alignas(128) Slot {
  std::atomic<uint64_t> epoch{0};   // The outermost guard's; 0: no guard.
  uint64_t depth = 0;               // Guards of the owner; only the owner reads it.
  std::atomic<bool> claimed{true};  // Has an owner.
  Slot* next = nullptr;             // Links all slots; never changes, never freed.
};

extern std::atomic<uint64_t> current;
extern constinit thread_local Slot* thread_slot BUSHSTORE_TLS_MODEL;

// Finds or creates a slot for the calling thread and stores it in thread_slot.
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
