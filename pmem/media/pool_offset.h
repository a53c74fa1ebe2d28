// How things in a pool are named: by places, which mean the same wherever the pool is mapped.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_OFFSET_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_OFFSET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace leveldb {

// The distance of a byte from the start of its pool, in bytes. The start itself is libpmemobj's,
// so 0 can say "nowhere".
using PoolOffset = uint64_t;
constexpr PoolOffset kNoPoolOffset = 0;

// Tells one pool from all others: random, made when the pool is made.
struct PoolId {
  static constexpr size_t kSize = 16;

  std::array<uint8_t, kSize> bytes{};

  static PoolId Random();

  // As 32 hexadecimal digits.
  std::string Text() const;

  // Reads what Text() wrote. False, with *id as it was, for anything else.
  static bool FromText(const std::string& text, PoolId* id);

  // Eight bytes of it, for the headers of extents and the sums over records.
  uint64_t Folded() const;

  friend bool operator==(const PoolId& a, const PoolId& b) = default;
};

// A number that cannot have been used before: 64 random bits of the operating system, never 0.
// It tells what an extent holds now from what it held in an earlier life.
uint64_t RandomSalt();

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_OFFSET_H_
