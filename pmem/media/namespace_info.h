// Queries libndctl and libdaxctl about the persistent memory under a device. The first query loads
// them; if they are missing, or the build did not have their headers, nothing is known.
#ifndef BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_
#define BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_

#include <map>
#include <string>

#include "pmem/media/device_info.h"

namespace leveldb {

// Queries each device once and keeps the answer as long as it exists. Not thread-safe.
class NamespaceCatalog {
 public:
  // Fill in namespace, mode, health, bad blocks and persistence domain for a block device ("pmem0",
  // or a partition of it) or a DAX device ("dax0.0"). Fields that are not known stay empty.
  void AskAboutBlockDevice(const std::string& name, DeviceInfo* info);
  void AskAboutDaxDevice(const std::string& name, DeviceInfo* info);

 private:
  std::map<std::string, DeviceInfo> answers_;  // only the fields that are queried here
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_
