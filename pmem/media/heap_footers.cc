#include "pmem/media/heap_footers.h"

#include <algorithm>
#include <cstddef>

#include "pmem/media/heap_layout.h"
#include "util/coding.h"

namespace leveldb {

namespace {

using Layout = HeapLayout;

void RestoreFootersOfZone(char* zone) {
  const uint32_t chunks = LoadFixed32(zone + Layout::kZoneChunksAt);
  if (LoadFixed32(zone) != Layout::kZoneMagic || chunks > Layout::kChunksMax) return;
  char* const heads = zone + Layout::kZoneHeadBytes;
  for (uint32_t chunk = 0; chunk < chunks;) {
    const uint64_t head = LoadFixed64(heads + chunk * Layout::kChunkHeadBytes);
    const uint32_t length = static_cast<uint32_t>(head >> 32);
    if (length == 0 || length > chunks - chunk) return;
    if (static_cast<uint16_t>(head) == Layout::kFree && length > 1) {
      char* const footer = heads + (uint64_t{chunk} + length - 1) * Layout::kChunkHeadBytes;
      const uint64_t wanted = (head & ~uint64_t{0xffff}) | Layout::kFooter;
      if (LoadFixed64(footer) != wanted) StoreFixed64(footer, wanted);
    }
    chunk += length;
  }
}

}  // namespace

void RestoreFooters(char* pool, uint64_t bytes) {
  if (bytes < Layout::kFirstChunkAt || !Layout::IsOf(pool)) return;
  const uint64_t heap_bytes = LoadFixed64(pool + Layout::kHeapBytesAt);
  const uint64_t end = std::min(bytes, Layout::kHeapAt + std::min(heap_bytes, bytes));
  for (uint64_t zone = Layout::kZoneAt;
       end >= Layout::kChunkHeadsEnd && zone <= end - Layout::kChunkHeadsEnd;
       zone += Layout::kZoneBytes) {
    RestoreFootersOfZone(pool + zone);
  }
}

}  // namespace leveldb
