#include "pmem/bptree/value_hints.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <iterator>

namespace leveldb {

namespace {

constexpr uint64_t kValuesPerBucket = 8;
constexpr uint64_t kOffsetUnit = 64;
constexpr size_t kTagsPerWord = 4;
constexpr uint64_t kEachTag = 0x0001000100010001;
constexpr uint64_t kHighBits = 0x8000800080008000;

uint64_t TagOf(uint64_t hash) {
  return std::max<uint64_t>(hash & 0xffff, 1);
}

template <class T>
T Load(T& from) {
  return std::atomic_ref<T>(from).load(std::memory_order_relaxed);
}

template <class T>
void Store(T& to, T value) {
  std::atomic_ref<T>(to).store(value, std::memory_order_relaxed);
}

}  // namespace

// An empty bucket consists of zeros. They are written here: a page that is read first, as Learn
// would do, is mapped to the system's zero page, and replacing that at the first write interrupts
// all processors that the process runs on.
ValueHints::ValueHints(uint64_t values)
    : count_(std::min<uint64_t>((values + kValuesPerBucket - 1) / kValuesPerBucket, UINT32_MAX)) {
  if (count_ == 0) return;
  buckets_.reset(static_cast<Bucket*>(std::aligned_alloc(alignof(Bucket), memory_bytes())));
  if (buckets_ == nullptr) {  // the hints are optional
    count_ = 0;
    return;
  }
  memset(buckets_.get(), 0, memory_bytes());
}

// Returns the slot with that tag, or kSlots.
size_t ValueHints::SlotOf(Bucket& bucket, uint64_t tag) {
  for (size_t word = 0; word < std::size(bucket.tags); word++) {
    const uint64_t difference = Load(bucket.tags[word]) ^ tag * kEachTag;
    // The high bit of each equal tag is set; those above the lowest set bit may be wrong.
    const uint64_t same = (difference - kEachTag) & ~difference & kHighBits;
    if (same == 0) continue;
    const size_t slot = word * kTagsPerWord + static_cast<size_t>(std::countr_zero(same)) / 16;
    return std::min(slot, kSlots);
  }
  return kSlots;
}

PoolOffset ValueHints::Find(uint64_t hash) const {
  if (count_ == 0) return kNoPoolOffset;
  Bucket& bucket = BucketOf(hash);
  const size_t slot = SlotOf(bucket, TagOf(hash));
  return slot == kSlots ? kNoPoolOffset : Load(bucket.pool_offsets[slot]) * kOffsetUnit;
}

void ValueHints::Learn(uint64_t hash, PoolOffset pool_offset) const {
  if (count_ == 0 || pool_offset % kOffsetUnit != 0 || pool_offset / kOffsetUnit > UINT32_MAX)
    return;
  Bucket& bucket = BucketOf(hash);
  const uint64_t tag = TagOf(hash);
  size_t slot = SlotOf(bucket, tag);
  if (slot == kSlots) {
    const uint64_t last = Load(bucket.tags[2]);
    slot = last >> 32;
    const uint64_t next = slot + 1 < kSlots ? slot + 1 : 0;
    Store(bucket.tags[2], (last & UINT32_MAX) | next << 32);
    uint64_t& word = bucket.tags[slot / kTagsPerWord];
    const unsigned shift = 16 * (slot % kTagsPerWord);
    Store(word, (Load(word) & ~(uint64_t{0xffff} << shift)) | tag << shift);
  }
  Store(bucket.pool_offsets[slot], static_cast<uint32_t>(pool_offset / kOffsetUnit));
}

}  // namespace leveldb
