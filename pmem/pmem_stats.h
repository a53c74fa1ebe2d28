// What the tier has written and waited for since the database was opened. Recorded by the code
// that does it, printed by db/properties.
#ifndef BUSHSTORE_PMEM_PMEM_STATS_H_
#define BUSHSTORE_PMEM_PMEM_STATS_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "pmem/wal/wal_record.h"
#include "port/cache_line.h"

namespace leveldb {

// A counter that is added to by few threads and read by any.
class PmemCounter {
 public:
  void Add(uint64_t amount) { value_.fetch_add(amount, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// A counter of one thread at a time, as those who write in a shard are: no locked instruction.
class PmemWriterCounter {
 public:
  void Add(uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// What is counted apart for each of those who may write at the same time.
struct alignas(kApartBytes) PmemWriterStats {
  PmemWriterCounter user_bytes;   // keys and values that callers wrote
  PmemWriterCounter log_bytes;    // log records, with their headers
  PmemWriterCounter value_bytes;  // large values, written once
  PmemWriterCounter full_waits;   // times a writer waited for room in the pool
  PmemWriterCounter delays;       // times it was slowed down instead, so as not to come to that
};

// All in bytes unless the name says otherwise. Thread-safe.
struct PmemStats {
  std::array<PmemWriterStats, kWalWriters> writers;

  // &PmemWriterStats::log_bytes, and so on: of all writers.
  uint64_t Sum(PmemWriterCounter PmemWriterStats::*counter) const {
    uint64_t sum = 0;
    for (const PmemWriterStats& writer : writers) sum += (writer.*counter).value();
    return sum;
  }

  // The jobs'.
  PmemCounter flush_bytes;  // trees made of memtables
  PmemCounter merge_bytes;  // trees made of trees
  PmemCounter gc_bytes;     // trees and values moved by sweeps
  PmemCounter spill_bytes;  // tables on SSD made of trees
  PmemCounter flushes;      // finished jobs of each kind
  PmemCounter merges;
  PmemCounter gc_jobs;
  PmemCounter spills;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_PMEM_STATS_H_
