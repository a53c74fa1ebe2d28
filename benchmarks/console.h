// What db_bench prints for people and for scripts, in LevelDB's shape.
#ifndef BUSHSTORE_BENCHMARKS_CONSOLE_H_
#define BUSHSTORE_BENCHMARKS_CONSOLE_H_

#include <string>

#include "benchmarks/bench_options.h"
#include "benchmarks/bench_result.h"
#include "benchmarks/machine.h"

namespace leveldb::bench {

// The lines before the first result, with the rule under them. `device` is what the tier's pool is
// on and `medium` how writes get there (PmemDeviceInfo::medium); both are left out of a run without
// the tier.
std::string FormatHeader(const BenchOptions& options, const Machine& machine,
                         const std::string& device, const std::string& medium);

// "fillrandom   :       3.123 micros/op;   35.4 MB/s", with what else the result has behind it and
// in further lines. Ends with a line feed.
std::string FormatResult(const BenchResult& result);

// The line in place of a benchmark that --use_existing_db rules out.
std::string FormatSkipped(const std::string& name);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_CONSOLE_H_
