#include "util/epoch.h"

#include <pthread.h>

#include <chrono>
#include <thread>

#include "port/cpu.h"

namespace leveldb {

namespace epoch_internal {

constinit std::atomic<uint64_t> current{1};  // 0 in a slot means "no guard".
constinit thread_local Slot* thread_slot BUSHSTORE_TLS_MODEL = nullptr;

namespace {

constinit std::atomic<Slot*> all_slots{nullptr};

// Runs when a thread ends, after the destructors of its thread_local objects, which may still use
// guards.
void ReturnSlot(void* slot) {
  thread_slot = nullptr;
  static_cast<Slot*>(slot)->claimed.store(false, std::memory_order_release);
}

// Runs in the child of a fork, which has only the calling thread.
void ForgetOtherThreads() {
  for (Slot* s = all_slots.load(std::memory_order_acquire); s != nullptr; s = s->next) {
    if (s == thread_slot) continue;
    s->depth = 0;
    s->epoch.store(0, std::memory_order_relaxed);
    s->claimed.store(false, std::memory_order_release);
  }
}

// ThreadEndNotice is a key whose destructor runs at the end of threads. The key is deleted if the
// library is unloaded.
class ThreadEndNotice {
 public:
  ThreadEndNotice() {
    usable_ = pthread_key_create(&key_, &ReturnSlot) == 0;
    pthread_atfork(nullptr, nullptr, &ForgetOtherThreads);
  }
  ~ThreadEndNotice() {
    if (usable_) pthread_key_delete(key_);
    usable_ = false;
  }

  // Without a key (there are 1024 in a process) the slots of ended threads are not used again.
  void Request(Slot* slot) {
    if (usable_) pthread_setspecific(key_, slot);
  }

 private:
  pthread_key_t key_;
  bool usable_;
};

Slot* ReuseSlot() {
  for (Slot* s = all_slots.load(std::memory_order_acquire); s != nullptr; s = s->next) {
    bool claimed = s->claimed.load(std::memory_order_relaxed);
    if (!claimed && s->claimed.compare_exchange_strong(claimed, true, std::memory_order_acquire)) {
      return s;
    }
  }
  return nullptr;
}

Slot* AddSlot() {
  Slot* const slot = new Slot;
  slot->next = all_slots.load(std::memory_order_relaxed);
  while (!all_slots.compare_exchange_weak(slot->next, slot, std::memory_order_seq_cst,
                                          std::memory_order_relaxed)) {
  }
  return slot;
}

}  // namespace

Slot* ClaimSlot() {
  static ThreadEndNotice notice;
  Slot* slot = ReuseSlot();
  if (slot == nullptr) slot = AddSlot();
  notice.Request(slot);
  thread_slot = slot;
  return slot;
}

}  // namespace epoch_internal

namespace epoch {

uint64_t Advance() {
  return epoch_internal::current.fetch_add(1, std::memory_order_seq_cst);
}

bool Passed(uint64_t epoch) {
  using epoch_internal::Slot;
  for (const Slot* s = epoch_internal::all_slots.load(std::memory_order_seq_cst); s != nullptr;
       s = s->next) {
    const uint64_t entered = s->epoch.load(std::memory_order_seq_cst);
    if (entered != 0 && entered <= epoch) return false;
  }
  return true;
}

bool Wait(uint64_t epoch, std::chrono::microseconds at_most) {
  constexpr int kSpins = 100;
  for (int i = 0; i < kSpins; i++) {
    if (Passed(epoch)) return true;
    CpuRelax();
  }
  auto pause = std::chrono::microseconds(10);
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  while (!Passed(epoch)) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause *= 2;
  }
  return true;
}

}  // namespace epoch
}  // namespace leveldb
