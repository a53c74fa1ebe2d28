// What a run of db_bench was asked to do about the persistent-memory tier.
#ifndef BUSHSTORE_BENCHMARKS_TIER_OPTIONS_H_
#define BUSHSTORE_BENCHMARKS_TIER_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/pmem.h"

namespace leveldb::bench {

struct TierOptions {
  bool use_pm = false;
  PmemOptions pmem;         // assume_pmem is found out when the database is opened
  int64_t bucket_nums = 0;  // BushStore's; has no meaning here
  // The flags about the tier that were given though use_pm was not.
  std::vector<std::string> idle_flags;
};

// Where pools go when no place is given: as the environment says, otherwise /dev/shm.
std::string DefaultPoolPath();

// Whether what is at the path, or is going to be made there, is memory that a power failure
// empties, so that persistence can only be played.
bool IsOnTmpfs(const std::string& path);

// Reads a number of bytes: "4096", "64K", "512M", "8G", with powers of 1024. Returns false for
// anything else.
bool ParseSize(const std::string& text, uint64_t* bytes);

// "8 GiB", "1.5 MiB", "300 bytes"
std::string FormatSize(uint64_t bytes);

// What makes these options impossible to run, as one sentence without a full stop; "" when nothing
// does. `prefix` stands before an option's name on the command line.
std::string FindTierMistake(const PmemOptions& pmem, const std::string& prefix = "--");

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_TIER_OPTIONS_H_
