// Functions that round to multiples.
#ifndef BUSHSTORE_UTIL_ROUND_H_
#define BUSHSTORE_UTIL_ROUND_H_

#include <cstdint>

namespace leveldb {

// Return the nearest multiple of `unit` at or below n, and at or above n. REQUIRES: unit != 0.
inline uint64_t RoundDown(uint64_t n, uint64_t unit) {
  return n / unit * unit;
}
inline uint64_t RoundUp(uint64_t n, uint64_t unit) {
  return RoundDown(n + unit - 1, unit);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_ROUND_H_
