// TierOptions are the options of a run of db_bench for the persistent-memory tier.
#ifndef BUSHSTORE_BENCHMARKS_TIER_OPTIONS_H_
#define BUSHSTORE_BENCHMARKS_TIER_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/pmem.h"

namespace leveldb::bench {

struct TierOptions {
  bool use_pm = false;
  PmemOptions pmem;         // assume_pmem is determined when the database is opened
  int64_t bucket_nums = 0;  // an option of BushStore; has no effect here
  // The flags of the tier that were given without use_pm.
  std::vector<std::string> idle_flags;
};

// Returns the default directory of pools: that of the environment, otherwise /dev/shm.
std::string DefaultPoolPath();

// Returns whether the file at the path, or one that would be created there, is in memory that a
// power failure clears, so that persistence is only emulated.
bool IsOnTmpfs(const std::string& path);

// Parses a number of bytes: "4096", "64K", "512M", "8G", with powers of 1024. Returns false for
// anything else.
bool ParseSize(const std::string& text, uint64_t* bytes);

// Returns text such as "8 GiB", "1.5 MiB", "300 bytes".
std::string FormatSize(uint64_t bytes);

// Returns why these options cannot be run, as one sentence without a full stop; "" if they can.
// `prefix` precedes the names of options on the command line.
std::string FindTierMistake(const PmemOptions& pmem, const std::string& prefix = "--");

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_TIER_OPTIONS_H_
