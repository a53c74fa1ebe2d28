// The text that db_bench prints, in LevelDB's format.
#ifndef BUSHSTORE_BENCHMARKS_CONSOLE_H_
#define BUSHSTORE_BENCHMARKS_CONSOLE_H_

#include <string>

#include "benchmarks/bench_options.h"
#include "benchmarks/bench_result.h"
#include "benchmarks/machine.h"

namespace leveldb::bench {

// Returns the lines before the first result, with the rule under them. `device` is the device of
// the tier's pool and `medium` how writes reach it (PmemDeviceInfo::medium); a run without the tier
// leaves both out.
std::string FormatHeader(const BenchOptions& options, const Machine& machine,
                         const std::string& device, const std::string& medium);

// Returns "fillrandom   :       3.123 micros/op;   35.4 MB/s", followed by the other figures of the
// result, in the same line and in further ones. Ends with a line feed.
std::string FormatResult(const BenchResult& result);

// Returns the line that replaces a benchmark skipped because of --use_existing_db.
std::string FormatSkipped(const std::string& name);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_CONSOLE_H_
