// Bijections that map numbers to numbers that look random: no two numbers have the same image, and
// each image can be mapped back.
#ifndef BUSHSTORE_YCSBC_MIX64_H_
#define BUSHSTORE_YCSBC_MIX64_H_

#include <cstdint>

namespace leveldb::ycsbc {

// Returns a number of which every bit depends on every bit of x.
constexpr uint64_t Mix64(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

constexpr int kMix63Bits = 63;
constexpr uint64_t kMix63Mask = (uint64_t{1} << kMix63Bits) - 1;

// Maps numbers below 2^63 to numbers below 2^63. Each of its steps can be inverted: a shift by 32
// bits by repeating it, a product with an odd number by a product with its inverse.
constexpr uint64_t Mix63(uint64_t x) {
  x ^= x >> 32;
  x = x * 0x9e3779b97f4a7c15 & kMix63Mask;
  x ^= x >> 32;
  x = x * 0xc2b2ae3d27d4eb4f & kMix63Mask;
  return x ^ x >> 32;
}

// Returns the number whose product with `odd` is 1 modulo 2^64, by Newton's method: each step
// doubles the number of correct bits, from the three that `odd` itself has.
constexpr uint64_t InverseOfOdd(uint64_t odd) {
  uint64_t inverse = odd;
  for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
  return inverse;
}

constexpr uint64_t Unmix63(uint64_t x) {
  x ^= x >> 32;
  x = x * InverseOfOdd(0xc2b2ae3d27d4eb4f) & kMix63Mask;
  x ^= x >> 32;
  x = x * InverseOfOdd(0x9e3779b97f4a7c15) & kMix63Mask;
  return x ^ x >> 32;
}

static_assert(Unmix63(Mix63(0x123456789abcdef)) == 0x123456789abcdef);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_MIX64_H_
