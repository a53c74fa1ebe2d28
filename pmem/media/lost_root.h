// Rebuilds the identity of a pool whose root is lost: the database knows the pool's id, and the
// headers of extents prove which pool they belong to.
#ifndef BUSHSTORE_PMEM_MEDIA_LOST_ROOT_H_
#define BUSHSTORE_PMEM_MEDIA_LOST_ROOT_H_

#include <cstdint>

#include "pmem/media/pool_root.h"

namespace leveldb {

// Finds extent headers of the pool `id` in base[0, bytes), and fills in the extent size and the
// offset of the root. The extent size is the largest that divides the offsets of all headers and at
// which no run reaches into the next. Returns false if there is no header. The size is certain if
// there are more than a few extents; a tree or a log that a wrong size makes unreadable is reported
// as damaged.
bool RebuildIdentity(const char* base, uint64_t bytes, const PoolId& id, PoolIdentity* identity);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_LOST_ROOT_H_
