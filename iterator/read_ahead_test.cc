#include "iterator/read_ahead.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

#include "util/random.h"

namespace leveldb {
namespace {

uint64_t now = 1;

uint64_t Now() {
  return now;
}

// Simulates a scan whose steps take different times with and without prefetched values.
class ReadAheadTest : public ::testing::Test {
 protected:
  // Returns in how many of the steps values were prefetched.
  int Scan(ReadAhead* ahead, int steps, bool looks_at_values = true) {
    int wanted = 0;
    for (int i = 0; i < steps; i++) {
      if (looks_at_values) ahead->OnValue();
      wanted += ahead->wanted();
      now += ahead->wanted() ? nanos_ahead_ : nanos_plain_;
      ahead->OnStep();
    }
    return wanted;
  }

  uint64_t nanos_plain_ = 400;
  uint64_t nanos_ahead_ = 150;
  ReadAheadHabit habit_;
};

TEST_F(ReadAheadTest, IsWantedWhereItSavesTime) {
  ReadAhead ahead(&habit_, &Now);
  EXPECT_FALSE(ahead.wanted());
  Scan(&ahead, 1000);
  EXPECT_GT(Scan(&ahead, 10'000), 9000);
}

TEST_F(ReadAheadTest, IsNotWantedWhereItCostsTime) {
  nanos_plain_ = 60;
  nanos_ahead_ = 130;
  ReadAhead ahead(&habit_, &Now);
  Scan(&ahead, 1000);
  EXPECT_LT(Scan(&ahead, 10'000), 1000);
}

TEST_F(ReadAheadTest, FollowsTheCaller) {
  ReadAhead ahead(&habit_, &Now);
  for (int round = 0; round < 5; round++) {
    nanos_plain_ = 400;
    Scan(&ahead, 20'000);
    EXPECT_GT(Scan(&ahead, 10'000), 9000);
    nanos_plain_ = 60;
    Scan(&ahead, 20'000);
    EXPECT_LT(Scan(&ahead, 10'000), 1000);
  }
}

TEST_F(ReadAheadTest, IsNeverWantedByWhoLooksAtNoValue) {
  ReadAhead ahead(&habit_, &Now);
  Scan(&ahead, 16 * ReadAhead::kStretch);
  Scan(&ahead, ReadAhead::kStretch, false);
  EXPECT_EQ(Scan(&ahead, 10'000, false), 0);
}

TEST_F(ReadAheadTest, ShortScansLearnTogether) {
  int wanted = 0;
  for (int scan = 0; scan < 1000; scan++) {
    ReadAhead ahead(&habit_, &Now);
    now += 5000;
    const int found = Scan(&ahead, 10);
    if (scan >= 500) wanted += found;
  }
  EXPECT_GT(wanted, 4500);
}

TEST_F(ReadAheadTest, TheTimeOfSeeksDoesNotCount) {
  // Seeks take long where values are prefetched: that must not matter.
  ReadAhead ahead(&habit_, &Now);
  int wanted = 0;
  for (int seek = 0; seek < 1000; seek++) {
    ahead.OnSeek();
    now += ahead.wanted() ? 1'000'000 : 10;
    // The step that follows a seek is not timed either.
    const int found = Scan(&ahead, 20);
    if (seek >= 500) wanted += found;
  }
  EXPECT_GT(wanted, 9000);
}

// No step of a scan that goes back and forth is timed. The scan notices all the same that no value
// is read.
TEST_F(ReadAheadTest, StretchesEndWithoutTimedSteps) {
  ReadAhead ahead(&habit_, &Now);
  Scan(&ahead, 100 * ReadAhead::kStretch);
  ASSERT_TRUE(ahead.wanted());
  for (int i = 0; i < 2 * ReadAhead::kStretch; i++) {
    ahead.OnSeek();
    Scan(&ahead, 1, false);
  }
  EXPECT_FALSE(ahead.wanted());
}

// Several threads may read values of one iterator.
TEST_F(ReadAheadTest, ThreadsMayLookAtValuesAtOnce) {
  ReadAhead ahead(&habit_, &Now);
  std::thread other([&] { ahead.OnValue(); });
  ahead.OnValue();
  other.join();
  Scan(&ahead, ReadAhead::kStretch, false);
  EXPECT_TRUE(ahead.wanted());
}

TEST_F(ReadAheadTest, ALongPauseIsForgottenSoon) {
  ReadAhead ahead(&habit_, &Now);
  Scan(&ahead, 10'000);
  for (int pause = 0; pause < 20; pause++) {
    now += 1'000'000'000;
    EXPECT_GT(Scan(&ahead, 10'000), 8000);
  }
}

// The first steps of a process have latencies that are unrelated to either mode.
TEST_F(ReadAheadTest, AColdBeginningIsForgottenSoon) {
  nanos_plain_ = 100'000;
  ReadAhead ahead(&habit_, &Now);
  Scan(&ahead, ReadAhead::kStretch);
  nanos_plain_ = 60;
  Scan(&ahead, 3 * ReadAhead::kStretch);
  EXPECT_LT(Scan(&ahead, 100 * ReadAhead::kStretch), 10 * ReadAhead::kStretch);
}

// Other machines on the same memory make all steps take twice as long for a while, and no stretch
// takes as long as the next.
TEST_F(ReadAheadTest, KeepsItsWayThroughNoise) {
  const uint64_t seed = 301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  ReadAhead ahead(&habit_, &Now);
  int wanted = 0;
  for (int busy = 0, stretch = 0; stretch < 3000; stretch++) {
    if (busy > 0) busy--;
    if (busy == 0 && random.OneIn(100)) busy = static_cast<int>(5 + random.Uniform(50));
    const uint64_t percent = (busy > 0 ? 200 : 100) * (60 + random.Uniform(80)) / 100;
    nanos_plain_ = 260 * percent / 100;
    nanos_ahead_ = 160 * percent / 100;
    wanted += Scan(&ahead, ReadAhead::kStretch);
  }
  EXPECT_GT(wanted, 2925 * ReadAhead::kStretch);
}

TEST_F(ReadAheadTest, TheClockGoesOn) {
  const uint64_t before = ReadAhead::SteadyNanos();
  EXPECT_GT(before, 0u);
  EXPECT_GE(ReadAhead::SteadyNanos(), before);
}

}  // namespace
}  // namespace leveldb
