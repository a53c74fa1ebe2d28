// The identity of a pool whose root is lost, from what else is there: the database knows the pool's
// id, and the headers of extents prove theirs.
#ifndef BUSHSTORE_PMEM_MEDIA_LOST_ROOT_H_
#define BUSHSTORE_PMEM_MEDIA_LOST_ROOT_H_

#include <cstdint>

#include "pmem/media/pool_root.h"

namespace leveldb {

// Finds headers of extents of the pool `id` in base[0, bytes), and fills in the extent size, which
// is the largest that all their places are multiples of and at which no run reaches into the next,
// and where the root was. Returns false if
// there is no header. The size is certain when there are more than a few extents; a tree or a log
// that a wrong one makes unreadable is reported as damaged.
bool RebuildIdentity(const char* base, uint64_t bytes, const PoolId& id, PoolIdentity* identity);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_LOST_ROOT_H_
