#include "benchmarks/control_thread.h"

#include <algorithm>
#include <chrono>

namespace leveldb::bench {

double ControlThread::Stop() {
  ended_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
  return longest_pause_micros_;
}

void ControlThread::Run() {
  using Clock = std::chrono::steady_clock;
  Clock::duration longest{};
  Clock::time_point last = Clock::now();
  while (!ended_.load(std::memory_order_relaxed)) {
    const Clock::time_point now = Clock::now();
    longest = std::max(longest, now - last);
    last = now;
  }
  longest_pause_micros_ = std::chrono::duration<double, std::micro>(longest).count();
}

}  // namespace leveldb::bench
