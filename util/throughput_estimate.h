// ThroughputEstimate: how long a KiB has lately taken, of the last few times that it was measured.
#ifndef BUSHSTORE_UTIL_THROUGHPUT_ESTIMATE_H_
#define BUSHSTORE_UTIL_THROUGHPUT_ESTIMATE_H_

#include <atomic>
#include <cstdint>

namespace leveldb {

// What a KiB takes where so many bytes take so long. A KiB more is counted, so that a few bytes do
// not seem to take for ever.
inline uint64_t NanosPerKib(uint64_t micros, uint64_t bytes) {
  return micros * 1000 / (bytes / 1024 + 1);
}

// Any thread may look; one at a time may add.
class ThroughputEstimate {
 public:
  // 0 before the first measurement.
  uint64_t nanos_per_kib() const { return average_.load(std::memory_order_relaxed); }

  // The first one counts in full, each further one for a fourth. One of no time is none: the clock
  // was set back meanwhile.
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
