// Benchmark describes a benchmark by name: its workload, and the properties that the runner needs.
#ifndef BUSHSTORE_BENCHMARKS_BENCHMARK_H_
#define BUSHSTORE_BENCHMARKS_BENCHMARK_H_

#include <cstdint>
#include <string>
#include <vector>

namespace leveldb::bench {

class BenchThread;

// Runs the work of one thread; defined in workload_*.cc.
using Workload = void (*)(BenchThread& thread);

enum class Crew {
  kThreads,           // --threads threads
  kOneThread,         // one thread, whatever the value of --threads
  kThreadsAndWriter,  // --threads measured threads, and a concurrent writer
};

struct Benchmark {
  const char* name;
  const char* summary;
  Workload workload;
  Crew crew = Crew::kThreads;
  bool fresh = false;           // begins with an empty database
  bool writes = false;          // puts or deletes keys
  bool counts_reads = false;    // does --reads operations instead of --num
  bool tells_found = false;     // "(n of m found)" follows its figures
  int64_t num_divisor = 1;      // the divisor of --num
  int64_t input_max = 0;        // bytes of input at most, a block per operation; 0: no limit
  int64_t block_size = 0;       // of that input; 0: --block_size
  int value_size = 0;           // 0: --value_size
  int64_t entries_a_batch = 0;  // 0: --write_batch
  bool sync = false;
};

// Returns all benchmarks, in the order of the help text.
const std::vector<Benchmark>& AllBenchmarks();

// Returns null if there is no benchmark of that name.
const Benchmark* FindBenchmark(const std::string& name);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_BENCHMARK_H_
