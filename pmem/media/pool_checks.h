// What is looked at before a pool is made or mapped: the device it stands on, and its files.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"
#include "pmem/media/device_info.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_files.h"
#include "pmem/media/pool_front.h"
#include "pmem/media/pool_medium.h"
#include "pmem/media/pool_root.h"

namespace leveldb {

// Whether extents may be so large.
bool IsExtentSize(uint64_t bytes);

// How large the extents of a new pool are, unless the user says so.
uint64_t ChooseExtentSize(uint64_t pool_bytes);

// Describes the device behind the pool's place, where nothing need be yet.
Status DescribeDeviceOf(const PoolFiles& files, DeviceInfo* device,
                        NamespaceCatalog* catalog = nullptr);

// NotFound if nothing is at the pool's place.
Status CheckPoolExists(const PoolFiles& files);

// InvalidArgument if it is not the expected pool's (null: any), Corruption if it cannot be true.
Status CheckIdentity(const std::string& path, const PoolIdentity& identity, const PoolId* expected);

// IOError if a file or device that a pool is to be made in has bad blocks.
Status CheckNoBadBlocks(const PoolFiles& files);

// What Open says of bad blocks where libpmemobj or we keep what says where everything is.
Status BadMetadata(const std::string& path);

// BadMetadata for bad blocks in the first `bytes` bytes of a pool that are in no slab of its root.
Status CheckBadRanges(const PoolRoot& root, const std::vector<ByteRange>& bad_ranges,
                      uint64_t bytes, const std::string& path);

// InvalidArgument if libpmemobj cannot map a device of so many bytes: it begins mappings of less
// than 2 GiB at multiples of 2 MiB, whatever the device wants.
Status CheckAlignment(const std::string& path, uint64_t bytes, uint64_t alignment);

// IOError if nothing that is written to the device is kept.
Status CheckRegion(const std::string& path, const DeviceInfo& device);

// A line for each bad range that has a byte in `part` of the pool.
void LogBadRanges(const std::string& path, const std::vector<ByteRange>& bad_ranges,
                  const ByteRange& part, Logger* info_log);

// Why the pool at a path would be refused, as far as can be seen from outside. OK of a pool that is
// in use. Keeps it from being opened meanwhile.
Status FindProblem(const std::string& path);

// Describes the device and the medium of the pool's place, and says whether they may be used as the
// options ask. Writes nothing.
Status CheckDevice(const PoolOptions& options, const PoolFiles& files, DeviceInfo* device,
                   PoolMedium* medium);

// Whether a directory pool on this medium can get a part of so many bytes that is as the others
// are: what is said of the medium has to hold for it, too. IOError says why not.
Status CheckGrowth(const PoolFiles& files, const PoolMedium& medium, uint64_t bytes);

// Whether a file or device looks as a creation leaves it that was cut off: libpmemobj has begun
// with it, or has not come to it, and there is nothing of ours.
bool IsHalfMade(const std::string& path);

// Puts the parts of a directory pool in order after growths that failed or were cut short: removes
// those that libpmemobj's heap does not have, or not yet, and closes gaps in the numbering. The
// heap has to end between the pool's noted length and the end of the files: an end anywhere else is
// Corruption, and no part is touched.
Status TidyParts(const PoolFiles& files, const PoolFront& front, uint64_t bytes_noted);

// Reads the root out of the files of a pool that is not open. It must be the expected pool's,
// if `expected` is not null, and the files as long as it says. Tidies the parts.
Status CheckFiles(const PoolFiles& files, const PoolId* expected, PoolIdentity* identity,
                  std::string* root);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_
