// HashKey64 is the hash of keys for filters and fingerprints in persistent memory. It never
// changes, and is the same on every machine. It is not safe for keys that an attacker may choose.
#ifndef BUSHSTORE_UTIL_HASH64_H_
#define BUSHSTORE_UTIL_HASH64_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"
#include "util/coding.h"

namespace leveldb {

namespace hash64_internal {

constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;
constexpr uint64_t kOdd2 = 0xd6e8feb86659fd93;

// Returns the two halves of the 128-bit product, combined by XOR: every bit of a and b affects most
// bits of the result.
inline uint64_t Fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace hash64_internal

// Returns a hash of which all 64 bits are evenly distributed.
//
// It takes two words a step. The last step takes up to 16 bytes: the first and the last word of the
// remaining bytes, or less than a word padded with zeros. The length is part of the initial state,
// so padding does not make different keys equal.
inline uint64_t HashKey64(const Slice& key) {
  using hash64_internal::Fold;
  using hash64_internal::kOdd1;
  using hash64_internal::kOdd2;
  const char* p = key.data();
  size_t n = key.size();
  uint64_t h = n * kOdd1;
  for (; n > 16; p += 16, n -= 16) {
    h = Fold(h ^ LoadFixed64(p) ^ kOdd1, LoadFixed64(p + 8) ^ kOdd2);
  }
  uint64_t low = 0;
  uint64_t high = 0;
  if (n >= 8) {
    low = LoadFixed64(p);
    high = LoadFixed64(p + n - 8);
  } else if (n >= 4) {
    low = LoadFixed32(p);
    high = LoadFixed32(p + n - 4);
  } else {
    for (size_t i = 0; i < n; i++) low |= uint64_t{static_cast<uint8_t>(p[i])} << (8 * i);
  }
  return Fold(Fold(h ^ low ^ kOdd1, high ^ kOdd2), kOdd1);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_HASH64_H_
