// Report is the report of a run (--report=FILE.json): every figure, with the settings that it
// depends on.
#ifndef BUSHSTORE_BENCHMARKS_REPORT_H_
#define BUSHSTORE_BENCHMARKS_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/bench_options.h"
#include "benchmarks/bench_result.h"
#include "benchmarks/machine.h"
#include "benchmarks/report_parts.h"

namespace leveldb::bench {

struct Report {
  Machine machine;
  BenchOptions options;
  std::string device;       // the device of the tier's pool; empty without the tier
  std::string medium;       // how written data reaches it
  double open_seconds = 0;  // of the first opening
  std::vector<BenchResult> results;
  uint64_t peak_resident_bytes = 0;
  uint64_t peak_anonymous_bytes = 0;
  std::string failure;  // why the run ended early; empty if it did not
};

// Returns the report as JSON text; docs/benchmarking.md explains the members.
std::string FormatReport(const Report& report);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_REPORT_H_
