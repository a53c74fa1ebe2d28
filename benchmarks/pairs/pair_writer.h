// PairWriter writes during a turn of reads: a thread that puts random keys as fast as the store
// accepts them.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_PAIR_WRITER_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_PAIR_WRITER_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "benchmarks/pairs/loaded_library.h"
#include "leveldb/slice.h"

namespace leveldb::bench {

// PairWriter writes from construction to Stop, and occupies a core meanwhile.
class PairWriter {
 public:
  // Writes to keys 0 to keys - 1 of *db, in an order that follows from the seed. The constructor
  // returns when the first of them has been written, or has failed. Database and value must outlive
  // it.
  PairWriter(LoadedDatabase* db, uint64_t keys, const Slice& value, uint64_t seed);
  ~PairWriter() { Stop(); }

  PairWriter(const PairWriter&) = delete;
  PairWriter& operator=(const PairWriter&) = delete;

  // Stops the thread. Returns an error, or "".
  std::string Stop();

 private:
  void Run(LoadedDatabase* db, uint64_t keys, const Slice& value, uint64_t seed);

  std::atomic<bool> has_begun_{false};
  std::atomic<bool> must_stop_{false};
  std::string mistake_;  // owned by the thread until it has ended
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_PAIR_WRITER_H_
