// AcknowledgedCounter hands out the numbers of new records, and tells which of them may be read.
#ifndef BUSHSTORE_YCSBC_ACKNOWLEDGED_COUNTER_H_
#define BUSHSTORE_YCSBC_ACKNOWLEDGED_COUNTER_H_

#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <vector>

namespace leveldb::ycsbc {

// Threads take numbers and acknowledge them when their records are in the store, in any order.
// Readers may read up to the first number that has not been acknowledged. Thread-safe.
class AcknowledgedCounter {
 public:
  // Records below `first` are in the store already.
  explicit AcknowledgedCounter(uint64_t first) : next_(first), limit_(first) {}

  // Returns the number of a new record.
  uint64_t Next() { return next_.fetch_add(1, std::memory_order_relaxed); }

  // Tells that the record can be read now. REQUIRES: `number` came from Next, and has not been
  // acknowledged.
  void Acknowledge(uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    uint64_t limit = limit_.load(std::memory_order_relaxed);
    assert(number >= limit);
    early_.push(number);
    while (!early_.empty() && early_.top() == limit) {
      early_.pop();
      ++limit;
    }
    limit_.store(limit, std::memory_order_release);
  }

  // Returns the limit below which all records have been acknowledged.
  uint64_t limit() const { return limit_.load(std::memory_order_acquire); }

 private:
  std::atomic<uint64_t> next_;
  std::atomic<uint64_t> limit_;
  std::mutex mutex_;
  // The numbers that were acknowledged before a lower one, the lowest on top.
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> early_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_ACKNOWLEDGED_COUNTER_H_
