// The settings of the persistent-memory tier in the process environment.
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
  uint64_t size = 0;  // _SIZE in bytes; 0: not set
  bool assume_pmem = false;
  bool convert = false;
  bool require = false;
  bool prefault = false;

  // InvalidArgument with the name of a variable that has an invalid value, which was ignored.
  Status problem;
};

// Looks up a variable: returns its value, or null if it is not set.
using GetVariable = std::function<const char*(const char* name)>;

// Reads the variables through `get`.
PmemEnvironment ReadPmemEnvironment(const GetVariable& get);

// Reads the variables of this process. Ignores them if the process runs with raised privileges.
PmemEnvironment ReadPmemEnvironment();

// Reads a number of bytes: decimal digits, optionally followed by K, M or G (powers of 1024, in
// upper or lower case). Returns false and leaves `*bytes` unchanged for any other text and on
// overflow.
bool ParseByteSize(Slice text, uint64_t* bytes);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_PMEM_ENVIRONMENT_H_
