// Runs the threads of one benchmark together.
#ifndef BUSHSTORE_BENCHMARKS_RUNNER_H_
#define BUSHSTORE_BENCHMARKS_RUNNER_H_

#include "benchmarks/bench_result.h"
#include "benchmarks/bench_thread.h"

namespace leveldb::bench {

// Starts the threads that the benchmark's crew asks for, lets them all begin at the same moment,
// shows progress on a terminal or, with --throughput, prints it, waits for them and adds their
// counts up. What fails is told to phase->failure. The result has no comparisons and no figures of
// the tier yet.
BenchResult RunPhase(Phase* phase);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_RUNNER_H_
