// What libndctl and libdaxctl know of the persistent memory below a device. They are loaded by the
// first question; where they are missing, or the build had not their headers, nothing is known.
#ifndef BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_
#define BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_

#include <string>

#include "pmem/media/device_info.h"

namespace leveldb {

// Fills in namespace, mode, health and bad blocks for a block device ("pmem0", or a partition of
// it) or a DAX device ("dax0.0").
void AskAboutBlockDevice(const std::string& name, DeviceInfo* info);
void AskAboutDaxDevice(const std::string& name, DeviceInfo* info);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_
