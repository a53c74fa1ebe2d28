// Hash is the hash of byte strings in LevelDB's formats. It is not safe for keys that an attacker
// may choose.
#ifndef BUSHSTORE_UTIL_HASH_H_
#define BUSHSTORE_UTIL_HASH_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// Returns the hash with which Bloom filters on disk are made, so it never changes.
uint32_t Hash(const char* data, size_t n, uint32_t seed);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_HASH_H_
