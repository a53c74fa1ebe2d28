// Inline comparison of byte strings, a word at a time. Keys are short, so a call of memcmp costs
// about as much as its work.
#ifndef BUSHSTORE_UTIL_KEY_BYTES_H_
#define BUSHSTORE_UTIL_KEY_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace leveldb {

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

// Returns the eight bytes at p as a number that orders as the bytes do. p need not be aligned.
inline uint64_t LoadBigEndian64(const char* p) {
  uint64_t word;
  memcpy(&word, p, sizeof(word));
  return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

// Returns the four bytes at p as a number that orders as the bytes do. p need not be aligned.
inline uint32_t LoadBigEndian32(const char* p) {
  uint32_t word;
  memcpy(&word, p, sizeof(word));
  return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

// Returns the eight bytes of the key from `prefix_length` on, padded with zeros, as a number that
// orders as they do.
inline uint64_t DigestOf(const char* key, size_t size, size_t prefix_length) {
  if (size >= prefix_length + 8) return LoadBigEndian64(key + prefix_length);
  if (size >= 8) {
    // The last eight bytes, without those of the prefix.
    const size_t left = size > prefix_length ? size - prefix_length : 0;
    return left == 0 ? 0 : LoadBigEndian64(key + size - 8) << (64 - 8 * left);
  }
  uint64_t digest = 0;
  for (size_t at = prefix_length; at < size; at++) {
    digest |= uint64_t{static_cast<uint8_t>(key[at])} << (56 - 8 * (at - prefix_length));
  }
  return digest;
}

// Returns the length of the common prefix of a[0, n) and b[0, n).
inline size_t CommonPrefixLength(const char* a, const char* b, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint64_t difference = LoadBigEndian64(a + i) ^ LoadBigEndian64(b + i);
    if (difference != 0) return i + static_cast<size_t>(std::countl_zero(difference)) / 8;
  }
  if (n >= 8) {  // the last eight, some of which are already known to be equal
    const uint64_t difference = LoadBigEndian64(a + n - 8) ^ LoadBigEndian64(b + n - 8);
    return difference == 0 ? n : n - 8 + static_cast<size_t>(std::countl_zero(difference)) / 8;
  }
  while (i < n && a[i] == b[i]) i++;
  return i;
}

// Returns a negative number, zero or a positive number if a[0, a_size) sorts before, equals or
// sorts after b[0, b_size): by unsigned byte value, and a proper prefix before the longer string.
inline int CompareBytes(const char* a, size_t a_size, const char* b, size_t b_size) {
  const size_t n = a_size < b_size ? a_size : b_size;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint64_t x = LoadBigEndian64(a + i);
    const uint64_t y = LoadBigEndian64(b + i);
    if (x != y) return x < y ? -1 : 1;
  }
  if (n >= 8) {
    if (i < n) {
      const uint64_t x = LoadBigEndian64(a + n - 8);
      const uint64_t y = LoadBigEndian64(b + n - 8);
      if (x != y) return x < y ? -1 : 1;
    }
  } else {
    for (; i < n; i++) {
      if (a[i] != b[i]) return static_cast<uint8_t>(a[i]) < static_cast<uint8_t>(b[i]) ? -1 : 1;
    }
  }
  if (a_size == b_size) return 0;
  return a_size < b_size ? -1 : 1;
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_KEY_BYTES_H_
