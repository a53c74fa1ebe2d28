// The bytes of a store's pools, looked at and damaged from outside.

#ifndef BUSHSTORE_TESTING_POOL_BYTES_H_
#define BUSHSTORE_TESTING_POOL_BYTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {

// A place in one of the files of a pool.
struct PoolPlace {
  std::string file;
  uint64_t offset;
};

// Where the bytes stand, in all pools of the store.
std::vector<PoolPlace> FindInPools(const TierStore& store, const std::string& bytes);

// Changes one bit of the byte there.
void FlipBit(const PoolPlace& place, int bit = 0);

// Changes a bit in the middle of the bytes wherever they stand. Returns in how many places.
int DamageInPools(const TierStore& store, const std::string& bytes);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_POOL_BYTES_H_
