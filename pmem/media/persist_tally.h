// PersistTally: counters that threads increment without disturbing each other. Each thread has a
// cache line. Threads share a line only if there are more threads than lines, and then a few counts
// may be lost. The counters use no locked instruction, because it would wait for the stores on
// their way to the medium.
#ifndef BUSHSTORE_PMEM_MEDIA_PERSIST_TALLY_H_
#define BUSHSTORE_PMEM_MEDIA_PERSIST_TALLY_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "pmem/media/cache_lines.h"
#include "pmem/media/persist.h"
#include "port/tls_model.h"

namespace leveldb {

// Thread-safe.
class PersistTally {
 public:
  void Copied(size_t bytes) { Add(&Mine().bytes_copied, bytes); }
  void Flushed() { Add(&Mine().flushes, 1); }
  void Fenced() { Add(&Mine().fences, 1); }
  void Synced() { Add(&Mine().syncs, 1); }

  PersistCounts Sum() const {
    PersistCounts sum;
    for (const Line& line : lines_) {
      sum.bytes_copied += line.bytes_copied.load(std::memory_order_relaxed);
      sum.flushes += line.flushes.load(std::memory_order_relaxed);
      sum.fences += line.fences.load(std::memory_order_relaxed);
      sum.syncs += line.syncs.load(std::memory_order_relaxed);
    }
    return sum;
  }

 private:
  using Counter = std::atomic<uint64_t>;

  static constexpr size_t kLines = 64;

  struct alignas(kCacheLineBytes) Line {
    Counter bytes_copied{0};
    Counter flushes{0};
    Counter fences{0};
    Counter syncs{0};
  };

  static void Add(Counter* counter, uint64_t amount) {
    counter->store(counter->load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  Line& Mine() {
    static constinit std::atomic<size_t> threads{0};
    static constinit thread_local size_t number BUSHSTORE_TLS_MODEL = 0;  // 0: none yet
    if (number == 0) number = threads.fetch_add(1, std::memory_order_relaxed) + 1;
    return lines_[number % kLines];
  }

  std::array<Line, kLines> lines_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_PERSIST_TALLY_H_
