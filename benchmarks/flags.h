// The command line of db_bench (gflags), turned into BenchOptions.
#ifndef BUSHSTORE_BENCHMARKS_FLAGS_H_
#define BUSHSTORE_BENCHMARKS_FLAGS_H_

#include <string>

#include "benchmarks/bench_options.h"

namespace leveldb::bench {

// Reads the flags of the command line. A flag that gflags does not know, or a value of the wrong
// type, ends the process with a sentence and exit code 1; --help prints FlagHelp() and ends it with
// 0. Returns what else is wrong in words, or "" on success.
std::string ParseCommandLine(int argc, char** argv, BenchOptions* options);

// What the flags say now. Returns what is wrong in words, or "".
std::string OptionsFromFlags(BenchOptions* options);

// All flags with their meaning and default, and all benchmarks.
std::string FlagHelp();

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_FLAGS_H_
