// Checks that are made before a pool is created or mapped: of its device and of its files.
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

// Returns true if extents may have this size.
bool IsExtentSize(uint64_t bytes);

// Returns the extent size of a new pool, unless the user sets it.
uint64_t ChooseExtentSize(uint64_t pool_bytes);

// Describes the device that holds the pool, which need not exist yet.
Status DescribeDeviceOf(const PoolFiles& files, DeviceInfo* device,
                        NamespaceCatalog* catalog = nullptr);

// NotFound if there is no pool at the path.
Status CheckPoolExists(const PoolFiles& files);

// InvalidArgument if the identity is not the expected pool's (null: any); Corruption if it is
// impossible.
Status CheckIdentity(const std::string& path, const PoolIdentity& identity, const PoolId* expected);

// IOError if a file or device in which a pool is to be created has bad blocks.
Status CheckNoBadBlocks(const PoolFiles& files);

// Returns the error of Open for bad blocks in the metadata, libpmemobj's or BushStore's, that say
// where everything is.
Status BadMetadata(const std::string& path);

// Returns BadMetadata if bad blocks in the first `bytes` bytes of a pool are in no slab of its
// root.
Status CheckBadRanges(const PoolRoot& root, const std::vector<ByteRange>& bad_ranges,
                      uint64_t bytes, const std::string& path);

// InvalidArgument if libpmemobj cannot map a device of `bytes` bytes: it begins mappings of less
// than 2 GiB at multiples of 2 MiB, whatever alignment the device requires.
Status CheckAlignment(const std::string& path, uint64_t bytes, uint64_t alignment);

// IOError if the device does not keep what is written to it.
Status CheckRegion(const std::string& path, const DeviceInfo& device);

// Logs a line for each bad range that overlaps `part` of the pool.
void LogBadRanges(const std::string& path, const std::vector<ByteRange>& bad_ranges,
                  const ByteRange& part, Logger* info_log);

// Returns why the pool at a path would be refused, as far as this can be determined without opening
// it. OK for a pool that is in use. Keeps the pool from being opened during the check.
Status FindProblem(const std::string& path);

// Describes the device and the medium of the pool, and checks that they may be used with the
// options. Writes nothing.
Status CheckDevice(const PoolOptions& options, const PoolFiles& files, DeviceInfo* device,
                   PoolMedium* medium);

// Checks that a directory pool on this medium can get a part of `bytes` bytes that has the
// properties of the other parts, because what is said of the medium must hold for it, too. IOError
// with the reason if not.
Status CheckGrowth(const PoolFiles& files, const PoolMedium& medium, uint64_t bytes);

// Returns true if a file or device is as an interrupted creation leaves it: libpmemobj has begun to
// write it, or has not begun yet, and there is nothing of BushStore's in it.
bool IsHalfMade(const std::string& path);

// Puts the parts of a directory pool in order after growths that failed or were interrupted:
// removes those that libpmemobj's heap does not include, or not yet, and closes gaps in the
// numbering. The heap must end between the pool's noted length and the end of the files; any other
// end is Corruption, and no part is touched.
Status TidyParts(const PoolFiles& files, const PoolFront& front, uint64_t bytes_noted);

// Reads the root from the files of a pool that is not open. It must be the expected pool's, if
// `expected` is not null, and the files must be as long as it says. Tidies the parts.
Status CheckFiles(const PoolFiles& files, const PoolId* expected, PoolIdentity* identity,
                  std::string* root);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_CHECKS_H_
