// Failure tells why a run of db_bench failed.
#ifndef BUSHSTORE_BENCHMARKS_FAILURE_H_
#define BUSHSTORE_BENCHMARKS_FAILURE_H_

#include "benchmarks/first_failure.h"

namespace leveldb::bench {

// Exit codes of db_bench.
enum class ExitCode : int {
  kSuccess = 0,
  kCannotRun = 1,  // invalid options, or an error that the store reported
  kWrongData = 3,  // the store gave a wrong value, lost a key or made one up
};

using Failure = FirstFailure<ExitCode>;

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_FAILURE_H_
