// WalTail: the end of a log, at which it continues; this is the state that a reservation changes.
#ifndef BUSHSTORE_PMEM_WAL_WAL_TAIL_H_
#define BUSHSTORE_PMEM_WAL_WAL_TAIL_H_

#include <cstddef>
#include <cstdint>

#include "pmem/media/pool_offset.h"

namespace leveldb {

struct WalTail {
  PoolOffset extent = kNoPoolOffset;
  uint64_t position = 0;  // of the extent in the chain
  size_t used = 0;        // of the extent
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_WAL_TAIL_H_
