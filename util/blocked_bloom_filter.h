// BlockedBloomFilter is a Bloom filter over 64-bit hashes of keys that reads one cache line per
// lookup: it answers "absent" or "maybe present".
//
//   | block 0 | block 1 | ...        64 bytes each
//
// The high half of a hash, scaled to the number of blocks, chooses the block. The key sets kProbes
// of the block's 512 bits; the hash is multiplied by a constant, and each nine bits of the product,
// from the lowest on, choose one of them. Bit b of a block is bit b % 8 of its byte b / 8.
//
// With 10 bits per key about one absent key in a hundred passes. The bytes may be stored; they mean
// the same on every machine.
#ifndef BUSHSTORE_UTIL_BLOCKED_BLOOM_FILTER_H_
#define BUSHSTORE_UTIL_BLOCKED_BLOOM_FILTER_H_

#include <cstddef>
#include <cstdint>

#include "util/prefetch.h"

namespace leveldb {

// The functions work on blocks that the caller owns. Blocks should begin at a multiple of 64, so
// that a lookup takes one memory access.
class BlockedBloomFilter {
 public:
  static constexpr size_t kBlockBytes = 64;
  static constexpr int kProbes = 6;

  // Returns how many blocks a filter of `bits_per_key` for `keys` keys takes; at least one.
  // REQUIRES: bits_per_key > 0.
  static uint64_t BlockCount(uint64_t keys, int bits_per_key);

  // Adds hashes[0, n) to the filter of `count` blocks at `blocks`. An empty filter is all zeros.
  static void Add(const uint64_t* hashes, size_t n, char* blocks, uint64_t count);

  // Returns false only if `hash` was never added to the filter. REQUIRES: count > 0.
  static bool MayContain(const char* blocks, uint64_t count, uint64_t hash) {
    const char* const block = BlockOf(blocks, count, hash);
    uint64_t bits = hash * kMultiplier;
    unsigned missing = 0;
    for (int i = 0; i < kProbes; i++, bits >>= 9) {
      const unsigned byte = static_cast<uint8_t>(block[(bits >> 3) & 63]);
      missing |= ~(byte >> (bits & 7));
    }
    return (missing & 1) == 0;
  }

  // Prefetches the line that MayContain reads.
  static void Prefetch(const char* blocks, uint64_t count, uint64_t hash) {
    PrefetchLine(BlockOf(blocks, count, hash));
  }

 private:
  static constexpr uint64_t kMultiplier = 0xa24baed4963ee407;

  static const char* BlockOf(const char* blocks, uint64_t count, uint64_t hash) {
    return blocks + ((hash >> 32) * count >> 32) * kBlockBytes;
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_BLOCKED_BLOOM_FILTER_H_
