// What a program with gflags shows of its command line: its own flags, not those that every program
// with gflags has.
#ifndef BUSHSTORE_BENCHMARKS_OWN_FLAGS_H_
#define BUSHSTORE_BENCHMARKS_OWN_FLAGS_H_

#include <gflags/gflags.h>

#include <string>
#include <vector>

namespace leveldb::bench {

// The flags that the source file (its __FILE__) defines, by name.
std::vector<gflags::CommandLineFlagInfo> FlagsOf(const char* source_file);

// Reads the flags of the command line; what is left in it are the other arguments. A flag that is
// not known, or a value of the wrong type, ends the process with a sentence and exit code 1; --help
// prints `help` and ends it with 0.
void ReadFlags(int* argc, char*** argv, std::string (*help)());

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_OWN_FLAGS_H_
