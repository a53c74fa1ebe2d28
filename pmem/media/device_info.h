// Describes the storage under a path: file system or device, DAX or page cache, and what libndctl
// and libdaxctl report about the persistent memory. Those libraries are loaded on first use; if
// they are missing, the fields that they provide stay empty.
#ifndef BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_
#define BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_

#include <cstdint>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

class NamespaceCatalog;

// What survives a power failure of the memory under a device, as its region reports it.
enum class PersistenceDomain {
  kUnknown,           // not reported, or libndctl is not available
  kNone,              // nothing survives
  kMemoryController,  // what has been written back from the caches survives
  kCpuCache,          // caches survive, too (eADR)
};

// Returns the name that /sys uses, such as "memory_controller"; "" if unknown.
const char* NameOf(PersistenceDomain domain);

struct DeviceInfo {
  std::string file_system;      // "tmpfs", "ext4", "xfs", ...; "devdax" for a DAX device
  bool memory_backed = false;   // tmpfs, hugetlbfs or ramfs: lost on a power failure
  bool dax = false;             // mappings access the medium directly
  std::string block_device;     // name in /sys/dev/block, empty if there is none
  uint64_t device_bytes = 0;    // size of a DAX device
  uint64_t alignment = 0;       // of a DAX device: it is mapped in multiples of this
  bool keeps_contents = false;  // of a DAX device: persistent memory that needs no host flush

  // Reported by libndctl and libdaxctl; empty or 0 if unknown.
  std::string namespace_name;
  std::string namespace_mode;  // "fsdax", "devdax", ...
  std::string health;          // "ok", or the problem; empty if no module reports any
  uint64_t bad_blocks = 0;     // of 512 bytes, in the whole namespace
  PersistenceDomain persistence_domain = PersistenceDomain::kUnknown;
  bool region_is_read_only = false;  // the modules do not keep what is written

  // Returns a description of one line, for messages.
  std::string Text() const;
};

// Describes the storage under `path`, which must exist: a directory, a file or a character device.
// With a catalog, queries each namespace only once.
Status DescribeDevice(const std::string& path, DeviceInfo* info,
                      NamespaceCatalog* catalog = nullptr);

// Reads the size of a DAX device and the unit in multiples of which it is mapped. InvalidArgument
// if `path` is not a DAX device.
Status MeasureDaxDevice(const std::string& path, uint64_t* bytes, uint64_t* alignment);

// Returns true if a line of /proc/self/mountinfo says that the file system on `device` ("259:1")
// maps all its files directly to the medium (DAX).
bool MountIsDax(const std::string& line, const std::string& device);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_
