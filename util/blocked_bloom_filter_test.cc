#include "util/blocked_bloom_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "util/coding.h"
#include "util/hash64.h"
#include "util/random.h"

namespace leveldb {
namespace {

uint64_t HashOfNumber(uint64_t number) {
  char key[8];
  StoreFixed64(key, number);
  return HashKey64(Slice(key, sizeof(key)));
}

struct Filter {
  explicit Filter(const std::vector<uint64_t>& hashes, int bits_per_key = 10)
      : count(BlockedBloomFilter::BlockCount(hashes.size(), bits_per_key)),
        blocks(count * BlockedBloomFilter::kBlockBytes, '\0') {
    BlockedBloomFilter::Add(hashes.data(), hashes.size(), blocks.data(), count);
  }
  bool MayContain(uint64_t hash) const {
    return BlockedBloomFilter::MayContain(blocks.data(), count, hash);
  }

  uint64_t count;
  std::string blocks;
};

std::vector<uint64_t> HashesOfNumbers(uint64_t n) {
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < n; i++) hashes.push_back(HashOfNumber(i));
  return hashes;
}

TEST(BlockedBloomFilterTest, NothingIsInAnEmptyFilter) {
  const Filter filter({});
  EXPECT_EQ(filter.count, 1u);
  for (uint64_t i = 0; i < 1000; i++) EXPECT_FALSE(filter.MayContain(HashOfNumber(i)));
}

TEST(BlockedBloomFilterTest, WhatWasAddedIsFound) {
  for (const uint64_t n : {1, 2, 51, 52, 1000, 100000}) {
    const std::vector<uint64_t> hashes = HashesOfNumbers(n);
    for (const int bits : {1, 5, 10, 20}) {
      const Filter filter(hashes, bits);
      for (const uint64_t hash : hashes) ASSERT_TRUE(filter.MayContain(hash)) << n << " " << bits;
    }
  }
}

TEST(BlockedBloomFilterTest, AddedInPortionsHashesMakeTheSameFilter) {
  const std::vector<uint64_t> hashes = HashesOfNumbers(1000);
  const Filter whole(hashes);
  std::string blocks(whole.blocks.size(), '\0');
  for (size_t begin = 0; begin < hashes.size(); begin += 300) {
    const size_t n = std::min<size_t>(300, hashes.size() - begin);
    BlockedBloomFilter::Add(&hashes[begin], n, blocks.data(), whole.count);
  }
  EXPECT_EQ(whole.blocks, blocks);
}

TEST(BlockedBloomFilterTest, ExtremeHashesStayInside) {
  const Filter filter({0, ~uint64_t{0}, uint64_t{1} << 63});
  EXPECT_TRUE(filter.MayContain(0));
  EXPECT_TRUE(filter.MayContain(~uint64_t{0}));
  EXPECT_TRUE(filter.MayContain(uint64_t{1} << 63));
}

TEST(BlockedBloomFilterTest, FewAbsentKeysPass) {
  constexpr uint64_t kKeys = 100000;
  const Filter filter(HashesOfNumbers(kKeys));
  EXPECT_EQ(filter.blocks.size(), (kKeys * 10 + 511) / 512 * 64);
  uint64_t passed = 0;
  for (uint64_t i = 0; i < kKeys; i++) passed += filter.MayContain(HashOfNumber(kKeys + i));
  EXPECT_LT(passed, kKeys * 15 / 1000);
  EXPECT_GT(passed, kKeys * 3 / 1000);
}

// The bytes are stored in pools: a change of the encoding would make keys disappear.
TEST(BlockedBloomFilterTest, BytesStayAsTheyAre) {
  const Filter filter({0x123456789abcdef0, 0xfedcba9876543210}, 512);
  EXPECT_EQ(filter.count, 2u);
  std::string bits;
  for (size_t i = 0; i < filter.blocks.size() * 8; i++) {
    if ((filter.blocks[i / 8] & (1 << (i % 8))) != 0) bits += std::to_string(i) + " ";
  }
  EXPECT_EQ(bits, "141 144 163 353 492 501 560 624 759 857 872 975 ");
}

}  // namespace
}  // namespace leveldb
