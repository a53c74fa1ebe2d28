#include "util/hash64.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "util/coding.h"

namespace leveldb {
namespace {

// Filters in persistent memory are made of these hashes. The values come from an implementation in
// another language.
TEST(Hash64Test, KnownValues) {
  EXPECT_EQ(HashKey64(""), 0xd79b09574bb4eca3u);
  EXPECT_EQ(HashKey64("a"), 0x79214b48b46e0e25u);
  EXPECT_EQ(HashKey64("abc"), 0x47fe7cdb93ebefc4u);
  EXPECT_EQ(HashKey64("abcd"), 0x6104585d1a288f38u);
  EXPECT_EQ(HashKey64("hello, "), 0xe087b1d767e2156eu);
  EXPECT_EQ(HashKey64("hello, world"), 0x6ecbc8858f035bd9u);
  EXPECT_EQ(HashKey64("0123456789abcdef"), 0x07e146c697b20b68u);
  EXPECT_EQ(HashKey64("0123456789abcdefg"), 0x149372a6aa05b7d9u);
  EXPECT_EQ(HashKey64("the quick brown fox jumps over the lazy dog"), 0x5a610963184846fcu);
  EXPECT_EQ(HashKey64("\xff\xfe"), 0xac6c4321223d587au);
}

TEST(Hash64Test, LengthAndContentCount) {
  std::set<uint64_t> seen;
  for (size_t n = 0; n <= 64; n++) {
    const std::string zeros(n, '\0');
    EXPECT_TRUE(seen.insert(HashKey64(zeros)).second) << n;
    for (size_t i = 0; i < n; i++) {
      std::string bytes = zeros;
      bytes[i] = 1;
      EXPECT_TRUE(seen.insert(HashKey64(bytes)).second) << n << " " << i;
    }
  }
}

// A shard is chosen by the highest bits and a bucket by the lowest: both must spread keys that
// differ in a few low bits of one number, as cache keys do.
TEST(Hash64Test, SpreadsCounters) {
  constexpr int kKeys = 1 << 16;
  constexpr int kBins = 64;
  int high[kBins] = {};
  int low[kBins] = {};
  for (uint64_t i = 0; i < kKeys; i++) {
    char key[16];
    StoreFixed64(key, 1);
    StoreFixed64(key + 8, i * 4096);
    const uint64_t h = HashKey64(Slice(key, sizeof(key)));
    high[h >> 58]++;
    low[h & (kBins - 1)]++;
  }
  for (int bin = 0; bin < kBins; bin++) {
    EXPECT_NEAR(high[bin], kKeys / kBins, 200) << bin;  // Six standard deviations.
    EXPECT_NEAR(low[bin], kKeys / kBins, 200) << bin;
  }
}

}  // namespace
}  // namespace leveldb
