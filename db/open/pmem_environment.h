// What the process environment asks of the persistent-memory tier.
#ifndef BUSHSTORE_DB_OPEN_PMEM_ENVIRONMENT_H_
#define BUSHSTORE_DB_OPEN_PMEM_ENVIRONMENT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// The variables LEVELDB_PMEM_*, as read from the environment.
struct PmemEnvironment {
  std::string path;   // _PATH; empty: new databases get no pool
  uint64_t size = 0;  // _SIZE in bytes; 0: not said
  bool assume_pmem = false;
  bool convert = false;
  bool require = false;
  bool prefault = false;

  // InvalidArgument with the name of a variable whose value makes no sense, which was left out.
  Status problem;
};

// How a variable is looked up: its value, or null if it is not set.
using GetVariable = std::function<const char*(const char* name)>;

// Reads the variables through `get`.
PmemEnvironment ReadPmemEnvironment(const GetVariable& get);

// Reads those of this process; none if it runs with raised privileges.
PmemEnvironment ReadPmemEnvironment();

// Reads a number of bytes: decimal digits, then perhaps K, M or G (powers of 1024, also in small
// letters). False, with `*bytes` as it was, for anything else and for what does not fit.
bool ParseByteSize(Slice text, uint64_t* bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_PMEM_ENVIRONMENT_H_
