// Opens databases with a tier on persistent memory, also in programs that run with a library
// without one, such as Debian's: the tier's functions are looked up when the program is loaded, and
// may be missing.
#ifndef BUSHSTORE_BENCHMARKS_TIER_DATABASE_H_
#define BUSHSTORE_BENCHMARKS_TIER_DATABASE_H_

#include <string>

#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"

namespace leveldb::bench {

// Calls PmemOpen, with memory files (tmpfs) treated as persistent. `asked_by` is the option that
// selected the tier, for the error with a library without one. On failure *db is null.
Status OpenWithTier(const Options& options, PmemOptions pmem, const std::string& name,
                    const char* asked_by, DB** db);

// Returns a line of text about the device of the pool of the open database `name`, and how writes
// reach it.
std::string DescribePoolDevice(const PmemOptions& pmem, const std::string& name);

// Returns how writes reach it: PmemDeviceInfo::medium, "" if the library does not report it.
std::string DescribePoolMedium(const std::string& name);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_TIER_DATABASE_H_
