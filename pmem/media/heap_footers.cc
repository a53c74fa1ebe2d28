#include "pmem/media/heap_footers.h"

#include <algorithm>
#include <cstddef>

#include "util/coding.h"

namespace leveldb {

namespace {

// The descriptor says where the heap is and how long; pool_front.cc draws it.
constexpr size_t kLanesPlaceAt = 4096 + 1024;
constexpr size_t kLanesCountAt = kLanesPlaceAt + 8;
constexpr size_t kHeapPlaceAt = kLanesPlaceAt + 16;
constexpr size_t kHeapBytesAt = 4096 + 2048 + 32;
constexpr uint64_t kLanesAt = 8192;
constexpr uint64_t kLanes = 1024;
constexpr uint64_t kHeapAt = kLanesAt + kLanes * 3072;

// Zones follow the heap's header. A zone is a magic number, the number of its chunks, to 64 bytes
// in all, a head of eight bytes for each chunk, and the chunks.
constexpr uint64_t kFirstZoneAt = kHeapAt + 1024;
constexpr uint32_t kZoneMagic = 0xC3F0A2D2;
constexpr uint64_t kZoneHeadBytes = 64;
constexpr uint32_t kChunksMax = 65528;
constexpr uint64_t kChunkHeadBytes = 8;
constexpr uint64_t kHeadsEnd = kZoneHeadBytes + kChunksMax * kChunkHeadBytes;
constexpr uint64_t kChunkBytes = 256 << 10;
constexpr uint64_t kZoneBytes = kHeadsEnd + kChunksMax * kChunkBytes;

// A head: type (16 bits), flags (16 bits), chunks of the block (32 bits).
constexpr uint16_t kFooterType = 1;
constexpr uint16_t kFreeType = 2;

void RestoreFootersOfZone(char* zone) {
  const uint32_t chunks = LoadFixed32(zone + 4);
  if (LoadFixed32(zone) != kZoneMagic || chunks > kChunksMax) return;
  char* const heads = zone + kZoneHeadBytes;
  for (uint32_t chunk = 0; chunk < chunks;) {
    const uint64_t head = LoadFixed64(heads + chunk * kChunkHeadBytes);
    const uint32_t length = static_cast<uint32_t>(head >> 32);
    if (length == 0 || length > chunks - chunk) return;
    if (static_cast<uint16_t>(head) == kFreeType && length > 1) {
      char* const footer = heads + (uint64_t{chunk} + length - 1) * kChunkHeadBytes;
      const uint64_t wanted = (head & ~uint64_t{0xffff}) | kFooterType;
      if (LoadFixed64(footer) != wanted) StoreFixed64(footer, wanted);
    }
    chunk += length;
  }
}

}  // namespace

void RestoreFooters(char* pool, uint64_t bytes) {
  if (bytes < kFirstZoneAt + kHeadsEnd || LoadFixed64(pool + kLanesPlaceAt) != kLanesAt ||
      LoadFixed64(pool + kLanesCountAt) != kLanes || LoadFixed64(pool + kHeapPlaceAt) != kHeapAt) {
    return;
  }
  const uint64_t heap_bytes = LoadFixed64(pool + kHeapBytesAt);
  const uint64_t end = std::min(bytes, kHeapAt + std::min(heap_bytes, bytes));
  for (uint64_t zone = kFirstZoneAt; end >= kHeadsEnd && zone <= end - kHeadsEnd;
       zone += kZoneBytes) {
    RestoreFootersOfZone(pool + zone);
  }
}

}  // namespace leveldb
