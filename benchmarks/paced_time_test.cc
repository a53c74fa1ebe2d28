#include "benchmarks/paced_time.h"

#include <gtest/gtest.h>

namespace leveldb::bench {
namespace {

TEST(PacedTimeTest, OnlyStretchesAtTheBestPaceCount) {
  PacedTime time;
  time.Add({.operations = 100, .nanos = 50'000, .pace_nanos = 10});
  time.Add({.operations = 300, .nanos = 900'000, .pace_nanos = 25});
  time.Add({.operations = 100, .nanos = 70'000, .pace_nanos = 10.9});
  const PacedTime::Result result = time.Sum();
  EXPECT_EQ(10, result.pace_nanos);
  EXPECT_DOUBLE_EQ(0.6, result.micros_per_operation);
  EXPECT_DOUBLE_EQ(0.4, result.share);
}

TEST(PacedTimeTest, TheBestPaceIsThatOfAllThreads) {
  PacedTime slow;
  slow.Add({.operations = 100, .nanos = 200'000, .pace_nanos = 20});
  PacedTime quick;
  quick.Add({.operations = 300, .nanos = 300'000, .pace_nanos = 10});
  quick.Merge(slow);
  EXPECT_DOUBLE_EQ(1, quick.Sum().micros_per_operation);
  EXPECT_DOUBLE_EQ(0.75, quick.Sum().share);
}

TEST(PacedTimeTest, WithoutAStretchThereIsNothing) {
  PacedTime time;
  time.Start();
  EXPECT_EQ(0, time.Sum().pace_nanos);
  EXPECT_EQ(0, time.Sum().share);
}

TEST(PacedTimeTest, CutsARunIntoStretches) {
  PacedTime time;
  time.Start();
  for (int i = 0; i < 100'000; i++) time.Add(1);
  const PacedTime::Result result = time.Sum();
  EXPECT_GT(result.pace_nanos, 0);
  EXPECT_GT(result.micros_per_operation, 0);
  EXPECT_GT(result.share, 0);
  EXPECT_LE(result.share, 1);
}

}  // namespace
}  // namespace leveldb::bench
