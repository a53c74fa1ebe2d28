// WalTail: where a log goes on, which is what taking a place in it changes.
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
