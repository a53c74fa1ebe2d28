// What stands behind a path: file system or device, DAX or page cache, and what libndctl and
// libdaxctl know of the persistent memory below. Those libraries are loaded when they are asked
// and may be missing: then their part stays empty.
#ifndef BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_
#define BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_

#include <cstdint>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

struct DeviceInfo {
  std::string file_system;     // "tmpfs", "ext4", "xfs", ...; "devdax" for a DAX device
  bool memory_backed = false;  // tmpfs, hugetlbfs or ramfs: gone with the power
  bool dax = false;            // the mapping goes straight to the medium
  std::string block_device;    // name in /sys/dev/block, empty if there is none
  uint64_t device_bytes = 0;   // of a DAX device

  // From libndctl and libdaxctl; empty or 0 where they know nothing.
  std::string namespace_name;
  std::string namespace_mode;  // "fsdax", "devdax", ...
  std::string health;          // "ok", or what is wrong
  uint64_t bad_blocks = 0;     // of 512 bytes

  // One line for people.
  std::string Text() const;
};

// Looks at the device behind a path that exists: a directory, a file or a character device.
Status DescribeDevice(const std::string& path, DeviceInfo* info);

// Whether a line of /proc/self/mountinfo says that the file system on `device` ("259:1") maps all
// its files straight to the medium.
bool MountIsDax(const std::string& line, const std::string& device);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_
