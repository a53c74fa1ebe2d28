// Parses the command line of db_bench (gflags) into BenchOptions.
#ifndef BUSHSTORE_BENCHMARKS_FLAGS_H_
#define BUSHSTORE_BENCHMARKS_FLAGS_H_

#include <string>

#include "benchmarks/bench_options.h"

namespace leveldb::bench {

// Reads the flags of the command line. A flag that gflags does not know, or a value of the wrong
// type, ends the process with a sentence and exit code 1; --help prints FlagHelp() and ends it with
// 0. Returns any other error as text, or "" on success.
std::string ParseCommandLine(int argc, char** argv, BenchOptions* options);

// Sets the options from the current flags. Returns an error as text, or "".
std::string OptionsFromFlags(BenchOptions* options);

// Returns all flags with their meaning and default, and all benchmarks.
std::string FlagHelp();

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_FLAGS_H_
