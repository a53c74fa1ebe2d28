// PmemStats: what the tier has written and how often it has waited since the database was opened.
// Updated by the code that does the work, printed by db/properties.
#ifndef BUSHSTORE_PMEM_PMEM_STATS_H_
#define BUSHSTORE_PMEM_PMEM_STATS_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "pmem/wal/wal_record.h"
#include "port/cache_line.h"

namespace leveldb {

// A counter that few threads increment and any thread may read.
class PmemCounter {
 public:
  void Add(uint64_t amount) { value_.fetch_add(amount, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// A counter that only one thread at a time increments, as the writers of a write shard do: it needs
// no locked instruction.
class PmemWriterCounter {
 public:
  void Add(uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// The counters of one writer that may write at the same time as others, on cache lines of its own.
struct alignas(kApartBytes) PmemWriterStats {
  PmemWriterCounter user_bytes;   // keys and values that callers wrote
  PmemWriterCounter log_bytes;    // log records, with their headers
  PmemWriterCounter value_bytes;  // large values, written once
  PmemWriterCounter full_waits;   // times a writer waited for room in the pool
  PmemWriterCounter delays;       // times a writer was delayed, to avoid such waits
};

// All in bytes unless the name says otherwise. Thread-safe.
struct PmemStats {
  std::array<PmemWriterStats, kWalWriters> writers;

  // Returns the sum of a counter, such as &PmemWriterStats::log_bytes, over all writers.
  uint64_t Sum(PmemWriterCounter PmemWriterStats::*counter) const {
    uint64_t sum = 0;
    for (const PmemWriterStats& writer : writers) sum += (writer.*counter).value();
    return sum;
  }

  // The counters of background jobs.
  PmemCounter flush_bytes;  // trees made of memtables
  PmemCounter merge_bytes;  // trees made of trees
  PmemCounter gc_bytes;     // trees and values moved by value-log GC
  PmemCounter spill_bytes;  // tables on SSD made of trees
  PmemCounter flushes;      // finished jobs of each kind
  PmemCounter merges;
  PmemCounter gc_jobs;
  PmemCounter spills;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_PMEM_STATS_H_
