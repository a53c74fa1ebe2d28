// Machine describes the machine and the library of a measurement.
#ifndef BUSHSTORE_BENCHMARKS_MACHINE_H_
#define BUSHSTORE_BENCHMARKS_MACHINE_H_

#include <string>

namespace leveldb::bench {

struct Machine {
  std::string cpu_model;
  int cpu_cores = 0;
  std::string cpu_cache;  // as the system reports it, e.g. "2048 KB"
  std::string kernel;
  std::string date;             // local time, ISO 8601
  std::string library_version;  // of the headers this program was compiled with
  std::string library_file;     // the library that was really loaded
};

// Returns a description of this machine. Unknown members are "unknown".
Machine DescribeMachine();

// Returns the file of the loaded library that has the C symbol `name`, or "unknown".
std::string FileOfSymbol(const char* name);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_MACHINE_H_
