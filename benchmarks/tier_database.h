// Opens databases with a tier on persistent memory, also in programs that run with a library which
// has none, as Debian's: its calls are looked up when the program is loaded, and may be missing.
#ifndef BUSHSTORE_BENCHMARKS_TIER_DATABASE_H_
#define BUSHSTORE_BENCHMARKS_TIER_DATABASE_H_

#include <string>

#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"

namespace leveldb::bench {

// PmemOpen, with memory files (tmpfs) treated as persistent. `asked_by` is what on the command line
// asked for the tier, for the error of a library without. On failure *db is null.
Status OpenWithTier(const Options& options, PmemOptions pmem, const std::string& name,
                    const char* asked_by, DB** db);

// What the pool of the open database `name` is on, and how writes get there, in a line for people.
std::string DescribePoolDevice(const PmemOptions& pmem, const std::string& name);

// How what is written gets there: PmemDeviceInfo::medium, "" if the library does not say.
std::string DescribePoolMedium(const std::string& name);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_TIER_DATABASE_H_
