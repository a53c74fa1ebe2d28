// Rounding to multiples.
#ifndef BUSHSTORE_UTIL_ROUND_H_
#define BUSHSTORE_UTIL_ROUND_H_

#include <cstdint>

namespace leveldb {

// The nearest multiple of `unit`, which is not 0, at or below n; at or above it.
inline uint64_t RoundDown(uint64_t n, uint64_t unit) {
  return n / unit * unit;
}
inline uint64_t RoundUp(uint64_t n, uint64_t unit) {
  return RoundDown(n + unit - 1, unit);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_ROUND_H_
