#include "db/write/writer.h"

#include "port/cpu.h"
#include "port/spin_wait.h"

namespace leveldb {

namespace {

// How often a writer checks its state before it goes to sleep.
constexpr int kSpins = 200;

}  // namespace

uint32_t Writer::Await() {
  for (int i = 0; i < kSpins; i++) {
    const uint32_t now = state.load(std::memory_order_acquire);
    if (now != kWaiting) return now;
    CpuRelax();
  }
  uint32_t now = kWaiting;
  if (!state.compare_exchange_strong(now, kSleeping, std::memory_order_seq_cst)) return now;
  state.wait(kSleeping, std::memory_order_seq_cst);
  return state.load(std::memory_order_acquire);
}

Writer* Writer::AwaitNext() {
  Writer* behind = next.load(std::memory_order_acquire);
  for (SpinWait wait; behind == nullptr;) {
    wait.Once();
    behind = next.load(std::memory_order_acquire);
  }
  return behind;
}

}  // namespace leveldb
