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

// This holds whatever the arithmetic at its ends says.
TEST(PacedTimeTest, StandingStillIsLaidOnAllOperations) {
  PacedTime time;
  for (const double pace : {10, 30}) {
    time.Add({.operations = 500, .nanos = 250'000, .pace_nanos = pace});
    time.Add({.operations = 500, .nanos = 7'250'000, .pace_nanos = pace});
  }
  const PacedTime::Result result = time.Sum();
  EXPECT_DOUBLE_EQ(0.5 + 14'000.0 / 2000, result.micros_per_operation);
  EXPECT_DOUBLE_EQ(0.25, result.share);
}

TEST(PacedTimeTest, OperationsThatAreLongDoNotStandStill) {
  PacedTime time;
  time.Add({.operations = 1, .nanos = 5e9, .pace_nanos = 10});
  EXPECT_DOUBLE_EQ(5e6, time.Sum().micros_per_operation);
  EXPECT_EQ(1, time.Sum().share);
}

TEST(PacedTimeTest, ASingleQuickPieceOfArithmeticIsASlip) {
  PacedTime time;
  time.Add({.operations = 100, .nanos = 1, .pace_nanos = 1});
  for (int i = 0; i < 99; i++) time.Add({.operations = 100, .nanos = 60'000, .pace_nanos = 10});
  EXPECT_EQ(10, time.Sum().pace_nanos);
  EXPECT_NEAR(0.6, time.Sum().micros_per_operation, 0.01);
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
  EXPECT_GT(time.arithmetic_seconds(), 0);
}

}  // namespace
}  // namespace leveldb::bench
