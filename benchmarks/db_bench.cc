// db_bench measures a LevelDB-compatible store with the benchmarks of LevelDB's program of that
// name, and checks what it reads. docs/benchmarking.md explains its use.
//
// It uses only the public headers and the shared libleveldb, so that one binary can measure any
// library of the same binary interface (LD_LIBRARY_PATH). From command line to result:
//
//   flags -> BenchOptions -> BenchSession -> for each Benchmark: Phase -> runner -> BenchThreads,
//   each running a workload -> ThreadStats -> BenchResult -> console and report
#include <cstdio>
#include <string>

#include "benchmarks/bench_options.h"
#include "benchmarks/bench_session.h"
#include "benchmarks/failure.h"
#include "benchmarks/flags.h"

int main(int argc, char** argv) {
  using leveldb::bench::ExitCode;
  leveldb::bench::BenchOptions options;
  const std::string mistake = leveldb::bench::ParseCommandLine(argc, argv, &options);
  if (!mistake.empty()) {
    std::fprintf(stderr, "db_bench: %s.\n", mistake.c_str());
    return static_cast<int>(ExitCode::kCannotRun);
  }
  return static_cast<int>(leveldb::bench::BenchSession(options).Run());
}
