#include "util/recent_average.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

TEST(RecentAverageTest, FollowsWhatIsMeasured) {
  RecentAverage average;
  EXPECT_EQ(0u, average.Get());
  average.Add(1000);
  EXPECT_EQ(1000u, average.Get());
  average.Add(2000);
  EXPECT_EQ(1250u, average.Get());
  for (int i = 0; i < 50; i++) average.Add(100);
  EXPECT_NEAR(100, static_cast<double>(average.Get()), 4);
}

}  // namespace
}  // namespace leveldb
