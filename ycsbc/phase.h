// Phase is one phase of a run, with all its threads.
#ifndef BUSHSTORE_YCSBC_PHASE_H_
#define BUSHSTORE_YCSBC_PHASE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/device_account.h"
#include "benchmarks/throughput_meter.h"
#include "benchmarks/tier_metrics.h"
#include "util/histogram.h"
#include "ycsbc/acknowledged_counter.h"
#include "ycsbc/core_workload.h"
#include "ycsbc/record_checker.h"
#include "ycsbc/run_failure.h"
#include "ycsbc/run_options.h"
#include "ycsbc/store.h"

namespace leveldb::ycsbc {

// A load inserts the records; a run does the workload's operations; a check reads every record
// once.
enum class PhaseKind { kLoad, kRun, kCheck };

// The arguments of a phase. Pointers are not owned.
struct Phase {
  PhaseKind kind;
  const RunOptions* options;
  Store* store;
  Records records;
  AcknowledgedCounter* counter;
  RunFailure* failure;

  const char* name() const;
  uint64_t operations() const;
};

struct OperationResult {
  uint64_t operations = 0;
  std::optional<Histogram> latency;  // with -latency
};

struct PhaseResult {
  std::string name;
  int threads = 1;
  double open_seconds = 0;
  double elapsed_seconds = 0;  // from the first thread's start to the last one's end
  uint64_t operations = 0;
  uint64_t bytes = 0;  // keys and values, read or written
  uint64_t scanned_records = 0;
  uint64_t waits = 0;  // for another thread that wrote the same record
  std::array<OperationResult, kOperations> by_operation;
  std::vector<bench::ThroughputSample> throughput;  // with -timeseries
  bench::DeviceUse device;     // from the first thread's start on, background work included
  bench::TierMetrics figures;  // of the store, at the end
  std::string statistics;      // the same as the store's own text, with -dbstatistics

  double OperationsPerSecond() const {
    return elapsed_seconds > 0 ? static_cast<double>(operations) / elapsed_seconds : 0;
  }
  double MegabytesPerSecond() const {
    return elapsed_seconds > 0 ? static_cast<double>(bytes) / 1048576.0 / elapsed_seconds : 0;
  }
};

// Runs the phase. Reports failures to phase.failure. The result lacks the time of opening and the
// store's metrics.
PhaseResult RunPhase(const Phase& phase);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_PHASE_H_
