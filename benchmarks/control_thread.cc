#include "benchmarks/control_thread.h"

#include <algorithm>
#include <chrono>
#include <functional>

namespace leveldb::bench {

double ControlThread::Stop() {
  ended_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
  return PauseBehind(0);
}

double ControlThread::PauseBehind(size_t longer) const {
  return longer < pauses_micros_.size() ? pauses_micros_[longer] : 0;
}

void ControlThread::Run() {
  using Clock = std::chrono::steady_clock;
  // A heap of the longest pauses with the shortest of them on top, which few pauses exceed.
  std::vector<Clock::duration> pauses;
  pauses.reserve(kKept + 1);
  Clock::time_point last = Clock::now();
  while (!ended_.load(std::memory_order_relaxed)) {
    const Clock::time_point now = Clock::now();
    const Clock::duration pause = now - last;
    last = now;
    if (pauses.size() == kKept && pause <= pauses.front()) continue;
    pauses.push_back(pause);
    std::ranges::push_heap(pauses, std::greater());
    if (pauses.size() <= kKept) continue;
    std::ranges::pop_heap(pauses, std::greater());
    pauses.pop_back();
  }
  std::ranges::sort(pauses, std::greater());
  for (const Clock::duration pause : pauses) {
    pauses_micros_.push_back(std::chrono::duration<double, std::micro>(pause).count());
  }
}

}  // namespace leveldb::bench
