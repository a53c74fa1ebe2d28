// Who writes beside a turn of reads: a thread that puts random keys as fast as the store takes
// them.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_PAIR_WRITER_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_PAIR_WRITER_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "benchmarks/pairs/loaded_library.h"
#include "leveldb/slice.h"

namespace leveldb::bench {

// Writes from construction to Stop, and takes a core meanwhile.
class PairWriter {
 public:
  // Writes to keys 0 to keys - 1 of *db, in an order that follows from the seed; returns when the
  // first of them is written, or could not be. Database and value must outlive it.
  PairWriter(LoadedDatabase* db, uint64_t keys, const Slice& value, uint64_t seed);
  ~PairWriter() { Stop(); }

  PairWriter(const PairWriter&) = delete;
  PairWriter& operator=(const PairWriter&) = delete;

  // Ends it. Returns what went wrong, or "".
  std::string Stop();

 private:
  void Run(LoadedDatabase* db, uint64_t keys, const Slice& value, uint64_t seed);

  std::atomic<bool> has_begun_{false};
  std::atomic<bool> must_stop_{false};
  std::string mistake_;  // the thread's until it has ended
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_PAIR_WRITER_H_
