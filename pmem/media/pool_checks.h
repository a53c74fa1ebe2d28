// What is looked at before a pool is made or mapped: the device it stands on, and its files.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_

#include <cstdint>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/device_info.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_files.h"
#include "pmem/media/pool_front.h"

namespace leveldb {

// Whether extents may be so large.
bool IsExtentSize(uint64_t bytes);

// Describes the device behind the pool's place, where nothing need be yet.
Status DescribeDeviceOf(const PoolFiles& files, DeviceInfo* device);

// The same, and whether the device may be used as the options say.
Status CheckDevice(const PoolOptions& options, const PoolFiles& files, DeviceInfo* device);

// Whether a file or device looks as a creation leaves it that was cut off: libpmemobj has begun
// with it, or has not come to it, and there is nothing of ours.
bool IsHalfMade(const std::string& path);

// Puts the parts of a directory pool in order after growths that failed or were cut short: removes
// those that libpmemobj's heap does not have, or not yet, and closes gaps in the numbering. The
// heap has to end between the pool's noted length and the end of the files: an end anywhere else is
// Corruption, and no part is touched.
Status TidyParts(const PoolFiles& files, const PoolFront& front, uint64_t bytes_noted);

// Reads the root out of the files of a pool that nobody has open. It must be the expected pool's,
// if `expected` is not null, and the files as long as it says. Tidies the parts.
Status CheckFiles(const PoolFiles& files, const PoolId* expected, PoolIdentity* identity,
                  std::string* root);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_
