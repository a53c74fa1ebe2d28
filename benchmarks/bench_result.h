// BenchResult holds the figures of one benchmark.
#ifndef BUSHSTORE_BENCHMARKS_BENCH_RESULT_H_
#define BUSHSTORE_BENCHMARKS_BENCH_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/paced_time.h"
#include "benchmarks/throughput_meter.h"
#include "benchmarks/tier_metrics.h"
#include "util/histogram.h"

namespace leveldb::bench {

constexpr uint64_t kRareOperations = 10000;

struct BenchResult {
  std::string name;
  int threads = 1;
  uint64_t operations = 0;
  uint64_t bytes = 0;
  double busy_seconds = 0;     // the sum over all threads
  double elapsed_seconds = 0;  // wall-clock time

  std::optional<uint64_t> found;               // set by benchmarks that count it
  std::optional<double> writes_per_second;     // the rate of the writer during measured reads
  std::optional<uint64_t> comparisons;         // with --comparisons
  std::optional<Histogram> latency;            // with --histogram
  std::optional<double> control_pause_micros;  // with --control_thread: its longest
  // The control thread's pause exceeded by as many others as one in kRareOperations operations:
  // what p99.99 would be in a store that takes no time.
  std::optional<double> control_rare_pause_micros;
  std::optional<PacedTime::Result> paced;    // with --pace
  std::vector<ThroughputSample> throughput;  // with --throughput
  TierMetrics tier;                          // after the benchmark, of a database with a tier
  std::string message;
  std::string text;  // the output of benchmarks without figures

  // Returns one thread's time for one operation.
  double MicrosPerOperation() const {
    return operations == 0 ? 0 : busy_seconds * 1e6 / static_cast<double>(operations);
  }
  double OperationsPerSecond() const {
    return elapsed_seconds > 0 ? static_cast<double>(operations) / elapsed_seconds : 0;
  }
  double MegabytesPerSecond() const {
    return elapsed_seconds > 0 ? static_cast<double>(bytes) / 1048576.0 / elapsed_seconds : 0;
  }
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_BENCH_RESULT_H_
