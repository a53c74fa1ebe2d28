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
  // Each turn takes twice as long with the second library, though the machine slows down meanwhile.
  const MedianWithBounds ratio = MedianRatio({10, 20, 40}, {20, 40, 80});
  EXPECT_EQ(2, ratio.median);
  EXPECT_EQ(2, ratio.low);
  EXPECT_EQ(2, ratio.high);
}

TEST(PairFigures, OfAnEvenNumberTheMiddleOfBothIsTheMedian) {
  EXPECT_EQ(1.5, MedianRatio({1, 1}, {2, 1}).median);
  EXPECT_EQ(2.5, MedianRatio({1, 1, 1, 1}, {4, 1, 3, 2}).median);
}

TEST(PairFigures, MoreTurnsBringTheBoundsTogether) {
  std::vector<double> ones;
  std::vector<double> others;
  for (int i = 0; i < 10000; i++) {
    ones.push_back(1);
    others.push_back(i + 1);
  }
  const MedianWithBounds ratio = MedianRatio(ones, others);
  EXPECT_EQ(5000.5, ratio.median);
  EXPECT_TRUE(ratio.has_bounds);
  EXPECT_EQ(4903, ratio.low);
  EXPECT_EQ(5099, ratio.high);
}

TEST(PairFigures, FewTurnsHaveNoBounds) {
  const MedianWithBounds five = MedianRatio({1, 1, 1, 1, 1}, {1, 2, 3, 4, 5});
  EXPECT_EQ(3, five.median);
  EXPECT_FALSE(five.has_bounds);
  const MedianWithBounds six = MedianRatio({1, 1, 1, 1, 1, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(six.has_bounds);
  EXPECT_EQ(1, six.low);
  EXPECT_EQ(6, six.high);
}

}  // namespace
}  // namespace leveldb::bench
