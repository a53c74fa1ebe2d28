// RunFailure tells why a run of ycsbc failed.
#ifndef BUSHSTORE_YCSBC_RUN_FAILURE_H_
#define BUSHSTORE_YCSBC_RUN_FAILURE_H_

#include "benchmarks/first_failure.h"

namespace leveldb::ycsbc {

// Exit codes of ycsbc.
enum class ExitCode : int {
  kSuccess = 0,
  kStoreFailed = 1,  // an error that the store or the system reported
  kBadUsage = 2,     // an invalid command line or invalid properties
  kWrongData = 3,    // the store gave a wrong value, lost a record or made one up
};

using RunFailure = bench::FirstFailure<ExitCode>;

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RUN_FAILURE_H_
