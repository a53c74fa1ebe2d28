// SeedOf makes seeds of random numbers from text.
#ifndef BUSHSTORE_BENCHMARKS_SEED_OF_H_
#define BUSHSTORE_BENCHMARKS_SEED_OF_H_

#include <cstdint>
#include <string_view>

namespace leveldb::bench {

// Returns the 64-bit FNV-1a hash: the same in every run, and practically always different for
// different texts.
inline uint64_t SeedOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_SEED_OF_H_
