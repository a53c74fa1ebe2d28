#include "util/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace leveldb {
namespace {

uint32_t HashOf(const std::string& bytes, uint32_t seed) {
  return Hash(bytes.data(), bytes.size(), seed);
}

// From an implementation of the format's text in another language.
TEST(HashTest, KnownValues) {
  constexpr uint32_t kBloomSeed = 0xbc9f1d34;
  EXPECT_EQ(HashOf("", 0), 0u);
  EXPECT_EQ(HashOf("", kBloomSeed), 0xbc9f1d34u);
  EXPECT_EQ(HashOf("a", 0), 0xca6c9dd6u);
  EXPECT_EQ(HashOf("a", kBloomSeed), 0x286e9db0u);
  EXPECT_EQ(HashOf("\xff\xfe", kBloomSeed), 0x2969a3eau);
  EXPECT_EQ(HashOf("abc", kBloomSeed), 0x855d012fu);
  EXPECT_EQ(HashOf("abcd", 0), 0x9e87a0d0u);
  EXPECT_EQ(HashOf("abcd", kBloomSeed), 0xb9c83353u);
  EXPECT_EQ(HashOf("\x80\x81\x82\x83\x84", kBloomSeed), 0x60a5c002u);
  EXPECT_EQ(HashOf("hello, world", kBloomSeed), 0x16681015u);
  std::string high;
  for (int c = 200; c < 231; c++) high.push_back(static_cast<char>(c));
  EXPECT_EQ(HashOf(high, 0), 0xfc87380bu);
  EXPECT_EQ(HashOf(high, kBloomSeed), 0x47433abau);
}

TEST(Hash64Test, LengthAndContentCount) {
  std::set<uint64_t> seen;
  for (size_t n = 0; n <= 64; n++) {
    const std::string zeros(n, '\0');
    EXPECT_TRUE(seen.insert(Hash64(zeros.data(), n)).second) << n;
    for (size_t i = 0; i < n; i++) {
      std::string bytes = zeros;
      bytes[i] = 1;
      EXPECT_TRUE(seen.insert(Hash64(bytes.data(), n)).second) << n << " " << i;
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
    const uint64_t key[2] = {1, i * 4096};
    const uint64_t h = Hash64(reinterpret_cast<const char*>(key), sizeof(key));
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
