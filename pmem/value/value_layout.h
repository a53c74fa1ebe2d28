// The format of values in the pool.
//
// A value extent begins with the header that all extents have (pmem/media/extent_header.h; the
// object is the log or job that opened it). The values follow, each at a multiple of 64, with only
// zeros between them. A value's reference (entry/value_ref.h) holds its offset, its length and its
// checksum. A value is in one extent, or in chunks of one extent each; then the reference leads to
// the list of the chunks:
//
//   0   sum      fixed32   CRC-32C of bytes 4 .. end, begun with the low half of the list's offset
//   4   count    fixed32   chunks, at least one
//   8   chunks   16 bytes each, in the order of the value:
//          offset    fixed64
//          length    fixed64   bytes, at least one; all of them together are the value
//
// The list is in one extent, too.
#ifndef BUSHSTORE_PMEM_VALUE_VALUE_LAYOUT_H_
#define BUSHSTORE_PMEM_VALUE_VALUE_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "pmem/media/extent_header.h"
#include "pmem/media/pool_offset.h"
#include "util/crc32c.h"

namespace leveldb {

constexpr size_t kChunkListHeaderSize = 8;
constexpr size_t kChunkSize = 16;

// Returns the room for values in an extent.
inline uint64_t ValueRoom(uint64_t extent_size) {
  return extent_size - ExtentHeader::kSize;
}

// Returns the number of chunks that a list in one extent has room for.
inline uint64_t MaxChunks(uint64_t extent_size) {
  return (ValueRoom(extent_size) - kChunkListHeaderSize) / kChunkSize;
}

// Returns the sum of a list of `size` bytes at `list`, whose offset in the pool is `pool_offset`.
inline uint32_t ChunkListSum(PoolOffset pool_offset, const char* list, size_t size) {
  return crc32c::Extend(static_cast<uint32_t>(pool_offset), list + sizeof(uint32_t),
                        size - sizeof(uint32_t));
}

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_VALUE_VALUE_LAYOUT_H_
