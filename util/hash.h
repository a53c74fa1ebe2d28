// The 32-bit hash that Bloom filters on disk are made with. Not for anything an attacker may choose
// the keys of.
#ifndef BUSHSTORE_UTIL_HASH_H_
#define BUSHSTORE_UTIL_HASH_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

uint32_t Hash(const char* data, size_t n, uint32_t seed);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_HASH_H_
