// Describes a pool without opening it.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_DESCRIPTION_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_DESCRIPTION_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/device_info.h"
#include "pmem/media/pool.h"

namespace leveldb {

struct PoolDescription {
  std::string path;
  PoolKind kind = PoolKind::kDetect;
  PoolId id;
  std::string owner;        // path of the database
  uint64_t bytes = 0;       // of its files or device now
  uint64_t slab_bytes = 0;  // of that in slabs
  uint64_t ceiling = 0;     // equal to bytes for what cannot grow
  uint64_t extent_size = 0;
  uint64_t epoch = 0;
  bool clean = false;  // closed in an orderly way
  size_t logs = 0;
  DeviceInfo device;
};

// Reads the description of the pool at a path, which may be in use. NotFound if nothing is there,
// or only a file or device in which no pool has been created yet. With a catalog, queries each
// namespace only once.
Status DescribePool(const std::string& path, PoolDescription* description,
                    NamespaceCatalog* catalog = nullptr);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_DESCRIPTION_H_
