#include "benchmarks/key_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace leveldb::bench {
namespace {

TEST(KeyOrderTest, EachOnceHasEveryKeyOnceAndThenAgain) {
  for (const uint64_t keys : {1, 2, 3, 4, 5, 15, 16, 17, 1000, 4096, 65537}) {
    KeyOrder order = KeyOrder::EachOnce(Random(301), keys);
    std::vector<uint64_t> drawn;
    std::vector<int> times(keys);
    for (uint64_t i = 0; i < keys; ++i) {
      drawn.push_back(order.Next());
      ASSERT_LT(drawn.back(), keys);
      ++times[drawn.back()];
    }
    EXPECT_EQ(std::vector<int>(keys, 1), times);
    for (uint64_t i = 0; i < keys; ++i) ASSERT_EQ(drawn[i], order.Next());
  }
}

TEST(KeyOrderTest, EachOnceFollowsFromTheGenerator) {
  constexpr uint64_t kKeys = 1000;
  const auto first_keys = [](KeyOrder order) {
    std::vector<uint64_t> keys;
    for (int i = 0; i < 100; ++i) keys.push_back(order.Next());
    return keys;
  };
  const std::vector<uint64_t> keys = first_keys(KeyOrder::EachOnce(Random(1), kKeys));
  EXPECT_EQ(keys, first_keys(KeyOrder::EachOnce(Random(1), kKeys)));
  EXPECT_NE(keys, first_keys(KeyOrder::EachOnce(Random(2), kKeys)));
}

// In order, neighbours are one apart; in random order, they are a third of the keys apart on
// average.
TEST(KeyOrderTest, EachOnceIsInNoOrder) {
  constexpr uint64_t kKeys = 100'000;
  KeyOrder order = KeyOrder::EachOnce(Random(301), kKeys);
  uint64_t before = order.Next();
  uint64_t distances = 0;
  for (uint64_t i = 1; i < kKeys; ++i) {
    const uint64_t key = order.Next();
    distances += key > before ? key - before : before - key;
    before = key;
  }
  const double average = static_cast<double>(distances) / static_cast<double>(kKeys);
  EXPECT_NEAR(kKeys / 3.0, average, kKeys / 30.0);
}

TEST(KeyOrderTest, ACopyGoesThroughTheSameKeys) {
  KeyOrder order = KeyOrder::EachOnce(Random(7), 50);
  order.Next();
  KeyOrder copy = order;
  for (int i = 0; i < 120; ++i) EXPECT_EQ(order.Next(), copy.Next());
}

}  // namespace
}  // namespace leveldb::bench
