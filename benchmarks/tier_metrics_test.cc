#include "benchmarks/tier_metrics.h"

#include <gtest/gtest.h>

namespace leveldb::bench {
namespace {

TEST(TierMetricsTest, LinesOfNameAndNumberAreTaken) {
  const TierMetrics expected = {{"pool-bytes", 12345678901.0}, {"garbage-share", 0.25}, {"x", -1}};
  EXPECT_EQ(expected, ParseTierMetrics("pool-bytes 12345678901\n"
                                       "\n"
                                       "a heading\n"
                                       "garbage-share 0.2500\n"
                                       "state out of order\n"
                                       "size 12 MiB\n"
                                       " 7\n"
                                       "alone\n"
                                       "x -1"));
  EXPECT_EQ(TierMetrics(), ParseTierMetrics(""));
}

TEST(TierMetricsTest, WhatWasWrittenToThePoolIsAddedUp) {
  EXPECT_EQ(31u, PoolBytesWritten({{"user-bytes", 100},
                                   {"log-bytes", 1},
                                   {"value-bytes", 2},
                                   {"flush-bytes", 4},
                                   {"merge-bytes", 8},
                                   {"gc-bytes", 16},
                                   {"ssd-bytes", 1000}}));
  EXPECT_EQ(0u, PoolBytesWritten({}));
}

}  // namespace
}  // namespace leveldb::bench
