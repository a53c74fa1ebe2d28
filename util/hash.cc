#include "util/hash.h"

#include "util/coding.h"

namespace leveldb {

// Hashes whole little-endian words first, each added, multiplied and folded; then the remaining one
// to three bytes as one more word, folded further.
uint32_t Hash(const char* data, size_t n, uint32_t seed) {
  constexpr uint32_t kMultiplier = 0xc6a4a793;
  uint32_t h = seed ^ (static_cast<uint32_t>(n) * kMultiplier);

  const char* const words_end = data + (n & ~size_t{3});
  for (; data != words_end; data += 4) {
    h = (h + LoadFixed32(data)) * kMultiplier;
    h ^= h >> 16;
  }

  const size_t left = n & 3;
  if (left != 0) {
    uint32_t tail = 0;
    for (size_t i = 0; i < left; i++) tail |= uint32_t{static_cast<uint8_t>(data[i])} << (8 * i);
    h = (h + tail) * kMultiplier;
    h ^= h >> 24;
  }
  return h;
}

}  // namespace leveldb
