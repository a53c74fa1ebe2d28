// The report of a run (--report=FILE.json): every figure, with all that it depends on.
#ifndef BUSHSTORE_BENCHMARKS_REPORT_H_
#define BUSHSTORE_BENCHMARKS_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/bench_options.h"
#include "benchmarks/bench_result.h"
#include "benchmarks/machine.h"

namespace leveldb::bench {

struct Report {
  Machine machine;
  BenchOptions options;
  std::vector<BenchResult> results;
  uint64_t peak_resident_bytes = 0;
  uint64_t peak_anonymous_bytes = 0;
  std::string failure;  // why the run ended early; empty when it did not
};

// The report as JSON text; docs/benchmarking.md explains the members.
std::string FormatReport(const Report& report);

// Writes `text` to `path`. Returns what went wrong in words, or "" on success. An empty text tells
// whether the file can be written at all, before the benchmarks are run.
std::string WriteReport(const std::string& path, const std::string& text);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_REPORT_H_
