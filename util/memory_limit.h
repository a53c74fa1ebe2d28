// Functions that tell how much memory this process may use.
#ifndef BUSHSTORE_UTIL_MEMORY_LIMIT_H_
#define BUSHSTORE_UTIL_MEMORY_LIMIT_H_

#include <cstdint>
#include <string>

namespace leveldb {

// Returns the least of the machine's memory and the limits of the memory cgroups, of both versions,
// that the process is in. What cannot be read sets no limit. Each call reads some small files.
uint64_t MemoryLimit();

// Returns the least limit of the memory cgroups only, read from other directories than /proc and
// /sys/fs/cgroup; UINT64_MAX if no cgroup sets a limit.
uint64_t CgroupMemoryLimit(const std::string& proc, const std::string& cgroup);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MEMORY_LIMIT_H_
