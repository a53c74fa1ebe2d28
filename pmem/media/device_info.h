// What stands behind a path: file system or device, DAX or page cache, and what libndctl and
// libdaxctl know of the persistent memory below. Those libraries are loaded when they are asked
// and may be missing: then their part stays empty.
#ifndef BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_
#define BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_

#include <cstdint>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

class NamespaceCatalog;

// How far a power failure lets the memory below a device get, as its region says.
enum class PersistenceDomain {
  kUnknown,           // it does not say, or libndctl could not be asked
  kNone,              // nothing survives
  kMemoryController,  // what has been written back from the caches survives
  kCpuCache,          // caches survive, too (eADR)
};

// "memory_controller", as in /sys; "" if unknown.
const char* NameOf(PersistenceDomain domain);

struct DeviceInfo {
  std::string file_system;      // "tmpfs", "ext4", "xfs", ...; "devdax" for a DAX device
  bool memory_backed = false;   // tmpfs, hugetlbfs or ramfs: gone with the power
  bool dax = false;             // the mapping goes straight to the medium
  std::string block_device;     // name in /sys/dev/block, empty if there is none
  uint64_t device_bytes = 0;    // of a DAX device
  uint64_t alignment = 0;       // likewise: it is mapped in multiples of this
  bool keeps_contents = false;  // likewise: it is of a bus of persistent memory that needs no flush

  // From libndctl and libdaxctl; empty or 0 where they know nothing.
  std::string namespace_name;
  std::string namespace_mode;  // "fsdax", "devdax", ...
  std::string health;          // "ok", or what is wrong; empty if no module says anything
  uint64_t bad_blocks = 0;     // of 512 bytes, in the whole namespace
  PersistenceDomain persistence_domain = PersistenceDomain::kUnknown;
  bool region_is_read_only = false;  // its modules do not keep what is written

  // One line for people.
  std::string Text() const;
};

// Looks at the device behind a path that exists: a directory, a file or a character device. With a
// catalog a namespace is asked about only once.
Status DescribeDevice(const std::string& path, DeviceInfo* info,
                      NamespaceCatalog* catalog = nullptr);

// How large a DAX device is, and what it is mapped in multiples of. InvalidArgument if it is none.
Status MeasureDaxDevice(const std::string& path, uint64_t* bytes, uint64_t* alignment);

// Whether a line of /proc/self/mountinfo says that the file system on `device` ("259:1") maps all
// its files straight to the medium.
bool MountIsDax(const std::string& line, const std::string& device);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_DEVICE_INFO_H_
