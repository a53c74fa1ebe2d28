// ValueExtentUse: the values that a tree's entries of kTypeValueRef refer to, summed by value
// extent.
#ifndef BUSHSTORE_PMEM_MEDIA_VALUE_EXTENT_USE_H_
#define BUSHSTORE_PMEM_MEDIA_VALUE_EXTENT_USE_H_

#include <cstdint>

#include "pmem/media/pool_offset.h"

namespace leveldb {

// The use of one value extent by a tree. The tree keeps a reference on the extent as long as it
// exists.
struct ValueExtentUse {
  PoolOffset extent = kNoPoolOffset;  // begins with its header
  uint64_t salt = 0;                  // as in the header
  uint64_t live_bytes = 0;            // of the values that the tree refers to there

  bool operator==(const ValueExtentUse&) const = default;
};

// A piece of a value that is stored in several pieces, or of the list of its pieces.
struct ValuePiece {
  PoolOffset pool_offset = kNoPoolOffset;
  uint64_t bytes = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_VALUE_EXTENT_USE_H_
