// The parts of libpmemobj's format that BushStore reads and restores; versions 1.12 and 1.13 write
// the same. All numbers are little-endian; offsets are counted from the beginning of the pool.
#ifndef BUSHSTORE_PMEM_MEDIA_HEAP_LAYOUT_H_
#define BUSHSTORE_PMEM_MEDIA_HEAP_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "pmem/media/pool_header.h"
#include "pmem/media/pool_heap.h"
#include "util/coding.h"

namespace leveldb {

struct HeapLayout {
  // The descriptor follows the header and begins with the name of the layout. libpmemobj checks a
  // sum over what the descriptor says about the lanes and the heap, but not over the rest.
  static constexpr size_t kDescriptorAt = PoolHeader::kBytes;
  static constexpr size_t kLanesOffsetAt = kDescriptorAt + 1024;
  static constexpr size_t kLanesCountAt = kLanesOffsetAt + 8;
  static constexpr size_t kHeapOffsetAt = kLanesOffsetAt + 16;
  static constexpr size_t kRootOffsetAt = kDescriptorAt + 2048;
  static constexpr size_t kHeapBytesAt = kRootOffsetAt + 32;

  // Returns true if a descriptor has the offsets that are defined here. `pool` is the beginning of
  // a pool, up to kLanesAt.
  static bool IsOf(const char* pool) {
    return LoadFixed64(pool + kLanesOffsetAt) == kLanesAt &&
           LoadFixed64(pool + kLanesCountAt) == kLanes &&
           LoadFixed64(pool + kHeapOffsetAt) == kHeapAt;
  }

  // A lane (a term of libpmemobj) holds journals; the heap follows the lanes.
  static constexpr size_t kLanesAt = 8192;
  static constexpr size_t kLanes = 1024;
  static constexpr size_t kLaneBytes = 3072;
  static constexpr size_t kHeapAt = kLanesAt + kLanes * kLaneBytes;

  // The heap begins with a header, which its zones follow. A zone consists of a magic number and
  // the number of its chunks, padded to 64 bytes, a header of eight bytes for each possible chunk,
  // and the chunks. A chunk header has a type (16 bits), flags (16 bits) and the number of chunks
  // that belong together (32 bits).
  static constexpr size_t kZoneAt = kHeapAt + 1024;
  static constexpr uint32_t kZoneMagic = 0xC3F0A2D2;
  static constexpr size_t kZoneChunksAt = 4;  // in the zone
  static constexpr size_t kZoneHeadBytes = 64;
  static constexpr size_t kChunkHeadBytes = 8;
  static constexpr uint32_t kChunksMax = 65528;
  static constexpr size_t kChunkBytes = PoolHeap::kChunkBytes;
  static constexpr size_t kChunkHeadsEnd = kZoneHeadBytes + kChunksMax * kChunkHeadBytes;
  static constexpr uint64_t kZoneBytes = kChunkHeadsEnd + uint64_t{kChunksMax} * kChunkBytes;
  static constexpr size_t kFirstChunkAt = kZoneAt + kChunkHeadsEnd;

  // Types of chunks.
  static constexpr uint16_t kFooter = 1;
  static constexpr uint16_t kFree = 2;
  static constexpr uint16_t kRun = 4;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_HEAP_LAYOUT_H_
