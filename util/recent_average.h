// RecentAverage: what something has lately taken, of the last few times that it was measured.
#ifndef BUSHSTORE_UTIL_RECENT_AVERAGE_H_
#define BUSHSTORE_UTIL_RECENT_AVERAGE_H_

#include <atomic>
#include <cstdint>

namespace leveldb {

// Any thread may look; one at a time may add.
class RecentAverage {
 public:
  // 0 before the first measurement.
  uint64_t Get() const { return average_.load(std::memory_order_relaxed); }

  // The first one counts in full, each further one for a fourth.
  void Add(uint64_t measured) {
    constexpr uint64_t kWeight = 4;
    const uint64_t before = Get();
    const uint64_t now = before == 0 ? measured : before - before / kWeight + measured / kWeight;
    average_.store(now, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> average_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_RECENT_AVERAGE_H_
