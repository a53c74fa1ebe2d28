#include "benchmarks/pairs/pair_figures.h"

#include <gtest/gtest.h>

#include <vector>

namespace leveldb::bench {
namespace {

TEST(PairFigures, QuantilesAreValuesThatAreThere) {
  EXPECT_EQ(7, Quantile({7}, 0.25));
  EXPECT_EQ(7, Quantile({7}, 1));
  EXPECT_EQ(2, Quantile({4, 1, 3, 2}, 0.25));
  EXPECT_EQ(3, Quantile({4, 1, 3, 2}, 0.5));
  EXPECT_EQ(4, Quantile({4, 1, 3, 2}, 0.75));
}

TEST(PairFigures, RatiosAreOfTheSameTurn) {
  // Each turn takes twice as long with the second, though the machine slows down meanwhile.
  const MedianWithBounds ratio = MedianRatio({10, 20, 40}, {20, 40, 80});
  EXPECT_EQ(2, ratio.median);
  EXPECT_EQ(2, ratio.low);
  EXPECT_EQ(2, ratio.high);
}

TEST(PairFigures, MoreTurnsBringTheBoundsTogether) {
  std::vector<double> ones;
  std::vector<double> others;
  for (int i = 0; i < 10000; i++) {
    ones.push_back(1);
    others.push_back(i + 1);
  }
  const MedianWithBounds ratio = MedianRatio(ones, others);
  EXPECT_EQ(5001, ratio.median);
  EXPECT_EQ(4903, ratio.low);
  EXPECT_EQ(5099, ratio.high);
  const MedianWithBounds few = MedianRatio({1, 1, 1}, {1, 2, 3});
  EXPECT_EQ(2, few.median);
  EXPECT_EQ(1, few.low);
  EXPECT_EQ(3, few.high);
}

}  // namespace
}  // namespace leveldb::bench
