// BenchSession is a whole run of db_bench: the benchmarks of the list, one after the other, on one
// database.
#ifndef BUSHSTORE_BENCHMARKS_BENCH_SESSION_H_
#define BUSHSTORE_BENCHMARKS_BENCH_SESSION_H_

#include <map>
#include <string>

#include "benchmarks/bench_database.h"
#include "benchmarks/bench_options.h"
#include "benchmarks/bench_result.h"
#include "benchmarks/benchmark.h"
#include "benchmarks/failure.h"
#include "benchmarks/key_ledger.h"
#include "benchmarks/memory_use.h"
#include "benchmarks/report.h"
#include "benchmarks/value_codec.h"

namespace leveldb::bench {

// BenchSession is not thread-safe.
class BenchSession {
 public:
  // REQUIRES: FindMistake(options) returned "".
  explicit BenchSession(const BenchOptions& options);

  // Runs all benchmarks and prints header and results to standard output, and errors to standard
  // error. Must be called only once.
  ExitCode Run();

 private:
  bool Open();
  bool RunOne(const Benchmark& benchmark);
  bool MakeReady(const Benchmark& benchmark);
  bool Check(const char* what, const Status& status);
  bool Check(const std::string& mistake);
  bool SaveLedger();
  void FinishReport();
  std::string LedgerPath() const;

  const BenchOptions options_;
  AnonymousPeak anonymous_peak_;
  Failure failure_;
  BenchDatabase database_;
  KeyLedger ledger_;
  const ValueChecker checker_;
  std::map<std::string, int> repetitions_;
  bool has_written_ = false;
  Report report_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_BENCH_SESSION_H_
