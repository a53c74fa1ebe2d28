// Runs the threads of one benchmark concurrently.
#ifndef BUSHSTORE_BENCHMARKS_RUNNER_H_
#define BUSHSTORE_BENCHMARKS_RUNNER_H_

#include "benchmarks/bench_result.h"
#include "benchmarks/bench_thread.h"

namespace leveldb::bench {

// Starts the threads of the benchmark's crew at the same moment, shows progress on a terminal or,
// with --throughput, prints it, waits for the threads and adds up their counts. Reports failures to
// phase->failure. The result lacks comparisons and the figures of the tier.
BenchResult RunPhase(Phase* phase);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_RUNNER_H_
