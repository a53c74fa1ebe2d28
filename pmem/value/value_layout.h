// How values lie in the pool.
//
// A value extent begins with the header that all extents have (pmem/media/extent_header.h; the
// object is the log or job that opened it). Behind it values follow each other, each at a multiple
// of 64, with nothing but zeros between them: what tells where a value begins, how long
// it is and whether it is whole is its reference (entry/value_ref.h). A value lies in one extent,
// or else in chunks, one extent each, and the reference leads to their list:
//
//   0   sum      fixed32   CRC-32C of bytes 4 .. end, begun with the low half of the list's place
//   4   count    fixed32   chunks, at least one
//   8   chunks   16 bytes each, in the order of the value:
//          place     fixed64
//          length    fixed64   bytes, at least one; all of them together are the value
//
// The list, too, lies in one extent.
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

// Room for values in an extent.
inline uint64_t ValueRoom(uint64_t extent_size) {
  return extent_size - ExtentHeader::kSize;
}

// Chunks that a list in an extent has room for.
inline uint64_t MaxChunks(uint64_t extent_size) {
  return (ValueRoom(extent_size) - kChunkListHeaderSize) / kChunkSize;
}

// The sum of a list of `size` bytes at `list`, whose place in the pool is `place`.
inline uint32_t ChunkListSum(PoolOffset pool_offset, const char* list, size_t size) {
  return crc32c::Extend(static_cast<uint32_t>(pool_offset), list + sizeof(uint32_t),
                        size - sizeof(uint32_t));
}

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_VALUE_VALUE_LAYOUT_H_
