// ThroughputEstimate is a moving average of the time that a KiB has taken lately.
#ifndef BUSHSTORE_UTIL_THROUGHPUT_ESTIMATE_H_
#define BUSHSTORE_UTIL_THROUGHPUT_ESTIMATE_H_

#include <atomic>
#include <cstdint>

namespace leveldb {

// Returns the time per KiB if `bytes` take `micros`. Counts one KiB more, so that a few bytes do
// not seem to take arbitrarily long.
inline uint64_t NanosPerKib(uint64_t micros, uint64_t bytes) {
  return micros * 1000 / (bytes / 1024 + 1);
}

// Any thread may read; one thread at a time may add.
class ThroughputEstimate {
 public:
  // Returns 0 before the first measurement.
  uint64_t nanos_per_kib() const { return average_.load(std::memory_order_relaxed); }

  // Adds a measurement. The first counts in full, each further one for a fourth. Ignores
  // measurements of no time: the clock was set back meanwhile.
  void Add(uint64_t micros, uint64_t bytes) {
    if (micros == 0) return;
    constexpr uint64_t kWeight = 4;
    const uint64_t measured = NanosPerKib(micros, bytes);
    const uint64_t before = nanos_per_kib();
    const uint64_t now = before == 0 ? measured : before - before / kWeight + measured / kWeight;
    average_.store(now, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> average_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_THROUGHPUT_ESTIMATE_H_
