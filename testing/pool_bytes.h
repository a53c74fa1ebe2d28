// Finds and damages bytes in the files of a store's pools.

#ifndef BUSHSTORE_TESTING_POOL_BYTES_H_
#define BUSHSTORE_TESTING_POOL_BYTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {

// A position in one of the files of a pool.
struct PoolPlace {
  std::string file;
  uint64_t offset;
};

// Returns all positions of the bytes in the pools of the store.
std::vector<PoolPlace> FindInPools(const TierStore& store, const std::string& bytes);

// Flips one bit of the byte at this position.
void FlipBit(const PoolPlace& place, int bit = 0);

// Flips a bit in the middle of the bytes at each of their positions. Returns the number of these.
int DamageInPools(const TierStore& store, const std::string& bytes);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_POOL_BYTES_H_
