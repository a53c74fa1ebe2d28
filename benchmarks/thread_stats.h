// ThreadStats holds the counts of one thread of a benchmark, or the sum over its threads.
#ifndef BUSHSTORE_BENCHMARKS_THREAD_STATS_H_
#define BUSHSTORE_BENCHMARKS_THREAD_STATS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/paced_time.h"
#include "util/histogram.h"

namespace leveldb::bench {

// ThreadStats is used by one thread; other threads may call only operations() and bytes() while it
// runs.
class ThreadStats {
 public:
  // With a histogram, the clock is read twice around every operation that is timed.
  explicit ThreadStats(bool with_histogram, bool with_pace = false);

  // Times only one in n operations, beginning with the first. This is for operations so short that
  // two reads of the clock are a good part of them, and of which none is likely to take much longer
  // than others. The default is 1. REQUIRES: n >= 1; before Start().
  void TimeOneIn(uint64_t n) { timed_one_in_ = n; }

  void Start();
  void Stop();

  // Called before and after one call of the store: the time between BeginOperation and EndOperation
  // is the operation's latency. A batch of `count` operations counts as one latency.
  void BeginOperation() {
    if (histogram_ == nullptr) return;
    is_timed_ = since_timed_ == 0;
    since_timed_ = since_timed_ + 1 < timed_one_in_ ? since_timed_ + 1 : 0;
    if (is_timed_) operation_began_ = Clock::now();
  }
  void EndOperation(uint64_t count = 1) {
    if (is_timed_) AddLatency();
    operations_.store(operations_.load(std::memory_order_relaxed) + count,
                      std::memory_order_relaxed);
    if (paced_ != nullptr) paced_->Add(count);
  }

  void AddBytes(uint64_t count) {
    bytes_.store(bytes_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }

  // Counts a read that found something, for "(n of m found)".
  void AddFound() { ++found_; }

  // Sets the text that follows the figures.
  void SetMessage(const std::string& message) { message_ = message; }

  // Adds the counts of another, stopped thread. Keeps the first message.
  void Merge(const ThreadStats& other);

  uint64_t operations() const { return operations_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  uint64_t found() const { return found_; }
  const std::string& message() const { return message_; }

  // Returns null without --histogram.
  const Histogram* histogram() const { return histogram_.get(); }

  // Returns null without --pace.
  const PacedTime* paced() const { return paced_.get(); }

  // Returns the seconds of all threads, added up.
  double busy_seconds() const { return busy_seconds_; }

  // Returns the seconds from the first thread's start to the last one's stop.
  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  void AddLatency();

  std::atomic<uint64_t> operations_{0};
  std::atomic<uint64_t> bytes_{0};
  uint64_t found_ = 0;
  double busy_seconds_ = 0;
  Clock::time_point began_;
  Clock::time_point ended_;
  Clock::time_point operation_began_;
  std::unique_ptr<Histogram> histogram_;
  uint64_t timed_one_in_ = 1;
  uint64_t since_timed_ = 0;  // operations since the last timed one; 0: the next one is timed
  bool is_timed_ = false;     // whether the current operation is timed
  std::unique_ptr<PacedTime> paced_;
  std::string message_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_THREAD_STATS_H_
