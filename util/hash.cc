#include "util/hash.h"

#include <cstring>

#include "util/coding.h"

namespace leveldb {

namespace {

// The halves of the 128-bit product folded into one: every bit of a and b reaches most of them.
inline uint64_t Fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t LoadWord(const char* p) {
  uint64_t word;
  memcpy(&word, p, sizeof(word));
  return word;
}

}  // namespace

// Whole little-endian words first, each added, multiplied and folded; then the one to three bytes
// left over as one more word, folded further.
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

// Two words a step; the last step takes up to 16 bytes, zeros beyond the end. The length is part of
// the start, so those zeros do not make different strings equal.
uint64_t Hash64(const char* data, size_t n) {
  constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;
  constexpr uint64_t kOdd2 = 0xd6e8feb86659fd93;
  uint64_t h = n * kOdd1;
  for (; n > 16; data += 16, n -= 16) {
    h = Fold(h ^ LoadWord(data) ^ kOdd1, LoadWord(data + 8) ^ kOdd2);
  }
  uint64_t low = 0;
  uint64_t high = 0;
  if (n >= 8) {
    low = LoadWord(data);
    high = LoadWord(data + n - 8);
  } else {
    memcpy(&low, data, n);
  }
  return Fold(Fold(h ^ low ^ kOdd1, high ^ kOdd2), kOdd1);
}

}  // namespace leveldb
