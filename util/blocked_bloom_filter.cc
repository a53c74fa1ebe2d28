#include "util/blocked_bloom_filter.h"

#include <algorithm>
#include <cassert>

namespace leveldb {

uint64_t BlockedBloomFilter::BlockCount(uint64_t keys, int bits_per_key) {
  assert(bits_per_key > 0);
  constexpr uint64_t kBlockBits = kBlockBytes * 8;
  const uint64_t bits = keys * static_cast<uint64_t>(bits_per_key);
  return std::clamp<uint64_t>((bits + kBlockBits - 1) / kBlockBits, 1, UINT32_MAX);
}

// Prefetches each block some keys ahead, since the blocks of a large filter are far apart.
void BlockedBloomFilter::Add(const uint64_t* hashes, size_t n, char* blocks, uint64_t count) {
  constexpr size_t kAhead = 16;
  for (size_t key = 0; key < n; key++) {
    if (key + kAhead < n) Prefetch(blocks, count, hashes[key + kAhead]);
    char* const block = const_cast<char*>(BlockOf(blocks, count, hashes[key]));
    uint64_t bits = hashes[key] * kMultiplier;
    for (int i = 0; i < kProbes; i++, bits >>= 9) {
      char& byte = block[(bits >> 3) & 63];
      byte = static_cast<char>(byte | (1 << (bits & 7)));
    }
  }
}

}  // namespace leveldb
