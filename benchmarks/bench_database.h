// BenchDatabase is the database under test: one directory, opened with the options of the run.
#ifndef BUSHSTORE_BENCHMARKS_BENCH_DATABASE_H_
#define BUSHSTORE_BENCHMARKS_BENCH_DATABASE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/bench_options.h"
#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/status.h"

namespace leveldb::bench {

class CountingComparator;

// BenchDatabase is thread-safe, but db() must not be used while another thread opens or closes.
class BenchDatabase {
 public:
  // `options` must outlive the database.
  explicit BenchDatabase(const BenchOptions& options);
  ~BenchDatabase();

  BenchDatabase(const BenchDatabase&) = delete;
  BenchDatabase& operator=(const BenchDatabase&) = delete;

  // Opens the database; closes it first if it is open.
  Status Open();

  // Removes the database, if it exists, and opens an empty one.
  Status OpenEmpty();

  void Close();

  // Returns null while closed.
  DB* db() { return db_.get(); }

  // Returns how long the last successful opening took.
  double open_seconds() const { return open_seconds_; }

  // Returns the number of key comparisons since the last call; always 0 without --comparisons.
  uint64_t TakeComparisons();

 private:
  Options MakeOptions() const;
  Status OpenPlain();
  Status OpenWithTier();

  const BenchOptions& options_;
  std::unique_ptr<Cache> cache_;
  std::unique_ptr<const FilterPolicy> filter_;
  std::unique_ptr<CountingComparator> comparator_;
  std::unique_ptr<DB> db_;
  double open_seconds_ = 0;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_BENCH_DATABASE_H_
