// Parses the command line of a program with gflags, with a help text about its own flags and not
// those that every program with gflags has.
#ifndef BUSHSTORE_BENCHMARKS_OWN_FLAGS_H_
#define BUSHSTORE_BENCHMARKS_OWN_FLAGS_H_

#include <gflags/gflags.h>

#include <string>
#include <vector>

namespace leveldb::bench {

// Returns the flags that the source file (its __FILE__) defines, by name.
std::vector<gflags::CommandLineFlagInfo> FlagsOf(const char* source_file);

// Reads the flags of the command line and removes them from it; the other arguments remain. An
// unknown flag, or a value of the wrong type, ends the process with a sentence and exit code 1;
// --help prints `help` and ends it with 0.
void ReadFlags(int* argc, char*** argv, std::string (*help)());

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_OWN_FLAGS_H_
