// Reads what the kernel reports about devices in /sys.
#ifndef BUSHSTORE_PMEM_MEDIA_SYSFS_H_
#define BUSHSTORE_PMEM_MEDIA_SYSFS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace leveldb {

// Returns the directory of a device in /sys with all links resolved; empty if /sys does not have
// the device. `kind` is "block" or "char".
std::string SysfsDirectory(const char* kind, dev_t device);

// Returns `path` with all links resolved; empty if it does not exist.
std::string ResolvedPath(const std::string& path);

// Returns the last part of a path.
std::string LastPart(const std::string& path);

// Returns the parent directory of a path without a slash at its end; empty if it has no slash.
std::string ParentOf(const std::string& path);

// Reads a number, decimal or with 0x. Returns false if the file cannot be read or holds none.
bool ReadSysfsNumber(const std::string& path, uint64_t* number);

// Reads a whole file of at most 64 KiB; empty if it cannot be read.
std::string ReadSysfsText(const std::string& path);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_SYSFS_H_
