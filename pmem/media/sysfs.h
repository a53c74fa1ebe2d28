// What the kernel says of devices in /sys.
#ifndef BUSHSTORE_PMEM_MEDIA_SYSFS_H_
#define BUSHSTORE_PMEM_MEDIA_SYSFS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace leveldb {

// The directory of a device in /sys with all links resolved; empty if /sys does not know the
// device. `kind` is "block" or "char".
std::string SysfsDirectory(const char* kind, dev_t device);

// `path` with all links resolved; empty if there is nothing.
std::string ResolvedPath(const std::string& path);

// The last part of a path.
std::string LastPart(const std::string& path);

// The directory that a path without a slash at its end is in; empty if it has no slash.
std::string ParentOf(const std::string& path);

// Reads a number, decimal or with 0x. Returns false if the file cannot be read or holds none.
bool ReadSysfsNumber(const std::string& path, uint64_t* number);

// Reads a whole file of at most 64 KiB; empty if it cannot be read.
std::string ReadSysfsText(const std::string& path);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_SYSFS_H_
