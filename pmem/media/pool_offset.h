// The names of things in a pool: pool offsets, which mean the same wherever the pool is mapped,
// pool ids and salts.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_OFFSET_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_OFFSET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace leveldb {

// The distance of a byte from the start of its pool, in bytes. The start itself is libpmemobj's, so
// 0 can mean "none".
using PoolOffset = uint64_t;
constexpr PoolOffset kNoPoolOffset = 0;

// Identifies a pool: random, generated when the pool is created.
struct PoolId {
  static constexpr size_t kSize = 16;

  std::array<uint8_t, kSize> bytes{};

  static PoolId Random();

  // Returns the id as 32 hexadecimal digits.
  std::string Text() const;

  // Reads what Text() wrote. Returns false, with *id unchanged, for anything else.
  static bool FromText(const std::string& text, PoolId* id);

  // Returns the id folded to eight bytes, for the headers of extents and the sums over records.
  uint64_t Folded() const;

  friend bool operator==(const PoolId& a, const PoolId& b) = default;
};

// Returns a number that cannot have been used before: 64 random bits of the operating system, never
// 0. It distinguishes what an extent holds now from what it held earlier.
uint64_t RandomSalt();

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_OFFSET_H_
