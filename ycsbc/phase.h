// One phase of a run, with all its threads.
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

// Inserts the records; does the workload's operations; reads every record once.
enum class PhaseKind { kLoad, kRun, kCheck };

// What a phase works with. Pointers are not owned.
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
  uint64_t waits = 0;  // for another thread that was writing the same record
  std::array<OperationResult, kOperations> by_operation;
  std::vector<bench::ThroughputSample> throughput;  // with -timeseries
  bench::DeviceUse device;  // from the first thread's start on, what the store does beside included
  bench::TierMetrics figures;  // of the store, at the end
  std::string statistics;      // the same in its words, with -dbstatistics

  double OperationsPerSecond() const {
    return elapsed_seconds > 0 ? static_cast<double>(operations) / elapsed_seconds : 0;
  }
  double MegabytesPerSecond() const {
    return elapsed_seconds > 0 ? static_cast<double>(bytes) / 1048576.0 / elapsed_seconds : 0;
  }
};

// Runs it. What fails is told to phase.failure. The result has neither the time of opening nor what
// the store says.
PhaseResult RunPhase(const Phase& phase);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_PHASE_H_
