#include "util/random.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

TEST(RandomTest, SeedDecidesTheSequence) {
  Random a(1);
  Random b(1);
  Random c(2);
  int equal = 0;
  for (int i = 0; i < 1000; i++) {
    const uint64_t number = a.Next();
    EXPECT_EQ(number, b.Next());
    if (number == c.Next()) equal++;
  }
  EXPECT_EQ(equal, 0);
}

TEST(RandomTest, UniformStaysInRangeAndSpreads) {
  Random random(0);
  int counts[10] = {};
  for (int i = 0; i < 100000; i++) {
    const uint64_t number = random.Uniform(10);
    ASSERT_LT(number, 10u);
    counts[number]++;
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 600);
  EXPECT_EQ(random.Uniform(1), 0u);
}

TEST(RandomTest, OneInHitsAsOftenAsItSays) {
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 100000; i++) hits += random.OneIn(4) ? 1 : 0;
  EXPECT_NEAR(hits, 25000, 900);
  EXPECT_TRUE(random.OneIn(1));
}

TEST(RandomTest, SkewedPrefersSmallNumbers) {
  Random random(6);
  int small = 0;
  for (int i = 0; i < 10000; i++) {
    const uint64_t number = random.Skewed(20);
    ASSERT_LT(number, uint64_t{1} << 20);
    if (number < (1 << 10)) small++;
  }
  EXPECT_GT(small, 5000);
  EXPECT_EQ(random.Skewed(0), 0u);
}

}  // namespace
}  // namespace leveldb
