#include "util/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace leveldb {
namespace {

TEST(HistogramTest, EmptyIsAllZeros) {
  const Histogram histogram;
  EXPECT_EQ(0u, histogram.Count());
  EXPECT_EQ(0, histogram.Min());
  EXPECT_EQ(0, histogram.Max());
  EXPECT_EQ(0, histogram.Average());
  EXPECT_EQ(0, histogram.StdDev());
  EXPECT_EQ(0, histogram.Percentile(99));
  EXPECT_NE(std::string::npos, histogram.ToString().find("Count: 0"));
}

TEST(HistogramTest, OneValueIsEveryPercentile) {
  Histogram histogram;
  histogram.Add(3.25);
  for (const double p : {0.0, 50.0, 99.99, 100.0}) {
    EXPECT_DOUBLE_EQ(3.25, histogram.Percentile(p)) << p;
  }
  EXPECT_DOUBLE_EQ(3.25, histogram.Average());
  EXPECT_DOUBLE_EQ(0, histogram.StdDev());
}

TEST(HistogramTest, TenthsOfMicrosecondsStayApart) {
  Histogram histogram;
  for (int i = 0; i < 60; ++i) histogram.Add(0.1);
  for (int i = 0; i < 30; ++i) histogram.Add(0.2);
  for (int i = 0; i < 10; ++i) histogram.Add(0.3);
  EXPECT_NEAR(0.1, histogram.Percentile(50), 0.01);
  EXPECT_NEAR(0.2, histogram.Percentile(80), 0.01);
  EXPECT_NEAR(0.3, histogram.Percentile(99), 0.01);
}

TEST(HistogramTest, AverageAndDeviation) {
  Histogram histogram;
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) histogram.Add(value);
  EXPECT_DOUBLE_EQ(5, histogram.Average());
  EXPECT_NEAR(2, histogram.StdDev(), 1e-9);
  EXPECT_DOUBLE_EQ(2, histogram.Min());
  EXPECT_DOUBLE_EQ(9, histogram.Max());
}

// Tests that every scale keeps the promised relative error; the exact answer comes from sorting.
TEST(HistogramTest, PercentilesAreWithinTwoPercentAtEveryScale) {
  for (double scale = 0.1; scale < 1e8; scale *= 10) {
    Histogram histogram;
    std::vector<double> values;
    for (int i = 1; i <= 1000; ++i) values.push_back(scale * (1 + 0.009 * i));
    for (const double value : values) histogram.Add(value);
    for (const double p : {1.0, 25.0, 50.0, 95.0, 99.0, 99.9}) {
      const auto rank = static_cast<size_t>(std::ceil(p * 10 - 1e-9));
      const double exact = values[rank - 1];
      EXPECT_NEAR(exact, histogram.Percentile(p), exact * 0.02) << "scale " << scale << " p" << p;
    }
  }
}

TEST(HistogramTest, PercentilesNeverFallAndStayInside) {
  Histogram histogram;
  for (int i = 0; i < 5000; ++i) histogram.Add(std::exp(i % 97 / 6.0));
  double last = histogram.Percentile(0);
  EXPECT_GE(last, histogram.Min());
  for (double p = 0; p <= 100; p += 0.01) {
    const double here = histogram.Percentile(std::min(p, 100.0));
    ASSERT_GE(here, last);
    last = here;
  }
  EXPECT_DOUBLE_EQ(histogram.Max(), histogram.Percentile(100));
}

TEST(HistogramTest, MergeEqualsAddingEverything) {
  Histogram both;
  Histogram odd;
  Histogram even;
  for (int i = 0; i < 10000; ++i) {
    const double value = 0.05 * i;
    both.Add(value);
    (i % 2 == 0 ? even : odd).Add(value);
  }
  even.Merge(odd);
  EXPECT_EQ(both.Count(), even.Count());
  EXPECT_EQ(both.Min(), even.Min());
  EXPECT_EQ(both.Max(), even.Max());
  EXPECT_NEAR(both.Average(), even.Average(), 1e-9);
  EXPECT_NEAR(both.StdDev(), even.StdDev(), 1e-6);
  for (const double p : {1.0, 50.0, 99.99}) EXPECT_EQ(both.Percentile(p), even.Percentile(p));
}

TEST(HistogramTest, MergingAnEmptyOneChangesNothing) {
  Histogram histogram;
  histogram.Add(7);
  histogram.Merge(Histogram());
  EXPECT_EQ(1u, histogram.Count());
  EXPECT_DOUBLE_EQ(7, histogram.Min());
}

TEST(HistogramTest, OutOfRangeValuesAreKept) {
  Histogram histogram;
  histogram.Add(-1);
  histogram.Add(std::nan(""));
  histogram.Add(1e13);
  EXPECT_EQ(3u, histogram.Count());
  EXPECT_DOUBLE_EQ(0, histogram.Min());
  EXPECT_DOUBLE_EQ(1e13, histogram.Max());
  EXPECT_EQ(0, histogram.Percentile(30));
}

TEST(HistogramTest, ClearForgets) {
  Histogram histogram;
  histogram.Add(12);
  histogram.Clear();
  histogram.Add(1);
  EXPECT_EQ(1u, histogram.Count());
  EXPECT_DOUBLE_EQ(1, histogram.Max());
}

TEST(HistogramTest, TextNamesTheTail) {
  Histogram histogram;
  for (int i = 1; i <= 100; ++i) histogram.Add(i);
  const std::string text = histogram.ToString();
  for (const char* part : {"Count: 100", "Average: 50.500", "P50:", "P95:", "P99:", "P99.9:",
                           "P99.99:", "Max: 100.00", "100.000%", "#"}) {
    EXPECT_NE(std::string::npos, text.find(part)) << part << " in\n" << text;
  }
}

}  // namespace
}  // namespace leveldb
