// What libndctl and libdaxctl know of the persistent memory below a device. They are loaded by the
// first question; where they are missing, or the build had not their headers, nothing is known.
#ifndef BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_
#define BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_

#include <map>
#include <string>

#include "pmem/media/device_info.h"

namespace leveldb {

// Asks about each device once and remembers the answer for as long as it lives. Not thread-safe.
class NamespaceCatalog {
 public:
  // Fills in namespace, mode, health, bad blocks and persistence domain for a block device
  // ("pmem0", or a partition of it) or a DAX device ("dax0.0"). Of what is not known, nothing.
  void AskAboutBlockDevice(const std::string& name, DeviceInfo* info);
  void AskAboutDaxDevice(const std::string& name, DeviceInfo* info);

 private:
  std::map<std::string, DeviceInfo> answers_;  // only what is asked here
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_NAMESPACE_INFO_H_
