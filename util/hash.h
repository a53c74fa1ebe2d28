// Hashes of byte strings. Not for anything an attacker may choose the keys of.
#ifndef BUSHSTORE_UTIL_HASH_H_
#define BUSHSTORE_UTIL_HASH_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// What Bloom filters on disk are made with, so it never changes.
uint32_t Hash(const char* data, size_t n, uint32_t seed);

// Faster, for tables in memory: it may change from one version to the next, and differs between
// machines of different byte order. All 64 bits are good.
uint64_t Hash64(const char* data, size_t n);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_HASH_H_
