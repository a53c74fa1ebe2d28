#include "db/write/write_controller.h"

#include <gtest/gtest.h>

#include "db/version/level_limits.h"
#include "pmem/pmem_tier.h"

namespace leveldb {
namespace {

TEST(WriteControllerTest, Level0DelaysNothingWhileCompactionsKeepUp) {
  for (int depth = 0; depth < kLevel0SlowdownDepth; depth++) {
    EXPECT_EQ(0u, Level0NanosPerKib(depth, 100));
  }
}

TEST(WriteControllerTest, TheDelayGrowsWithLevel0AndStaysFinite) {
  EXPECT_EQ(100u, Level0NanosPerKib(kLevel0SlowdownDepth, 100));
  EXPECT_EQ(200u, Level0NanosPerKib(kLevel0SlowdownDepth + 1, 100));
  EXPECT_EQ(1600u, Level0NanosPerKib(kLevel0StopDepth, 100));
  EXPECT_EQ(1600u, Level0NanosPerKib(1000, 100));
  EXPECT_EQ(1'000'000u, Level0NanosPerKib(kLevel0StopDepth, UINT64_MAX));
}

TEST(WriteControllerTest, AnUnknownFlushIsNotWaitedFor) {
  FlushRace race;
  race.fill = 0.99;
  EXPECT_EQ(0u, LeadNanos(race));
}

TEST(WriteControllerTest, AWriterOnScheduleIsNotDelayed) {
  FlushRace race;
  race.expected_nanos = 1000000000;
  race.fill = 0.5;
  EXPECT_EQ(0u, LeadNanos(race));  // the head start
  race.fill = 0.74;
  race.elapsed_nanos = 500000000;
  EXPECT_EQ(0u, LeadNanos(race));
  race.fill = 1;
  race.elapsed_nanos = 1000000000;
  EXPECT_EQ(0u, LeadNanos(race));
  race.elapsed_nanos = 5000000000;  // slower than expected
  EXPECT_EQ(0u, LeadNanos(race));
}

TEST(WriteControllerTest, AFlushThatIsStarvedIsNotAsFarAsTheClock) {
  FlushRace race;
  race.expected_nanos = 1000000000;
  race.elapsed_nanos = 5000000000;
  race.fill = 0.7;
  race.walked = 0.5;
  EXPECT_EQ(0u, LeadNanos(race));
  race.walked = 0.25;
  EXPECT_GT(LeadNanos(race), 0u);
  race.walked = 1;  // but not over yet
  race.elapsed_nanos = 250000000;
  EXPECT_GT(LeadNanos(race), 0u);
}

// After the delay that it is given a writer is on schedule, neither ahead of it nor late.
TEST(WriteControllerTest, ADelayIsAsLongAsTheLead) {
  FlushRace race;
  race.expected_nanos = 1000000000;
  for (const double fill : {0.55, 0.7, 0.8, 1.0}) {
    race.fill = fill;
    race.elapsed_nanos = 0;
    const uint64_t delay = LeadNanos(race);
    EXPECT_GT(delay, 0u);
    EXPECT_LE(delay, race.expected_nanos);
    race.elapsed_nanos = delay + 1000;
    EXPECT_EQ(0u, LeadNanos(race));
    race.elapsed_nanos = delay - 1000;
    EXPECT_LE(LeadNanos(race), 2000u);
    EXPECT_GT(LeadNanos(race), 0u);
  }
}

uint64_t NanosPerKibAt(double use, double spill_start, uint64_t spill_nanos_per_kib) {
  PmemTierOptions options;
  options.spill_start = spill_start;
  return PoolNanosPerKib(options.FilledBeyondSpillStart(use), spill_nanos_per_kib);
}

TEST(WriteControllerTest, ThePoolDelaysNothingWhileSpillsKeepUp) {
  EXPECT_EQ(0u, NanosPerKibAt(0, 0.85, 5000));
  EXPECT_EQ(0u, NanosPerKibAt(0.85, 0.85, 5000));
}

TEST(WriteControllerTest, AFullerPoolDelaysMore) {
  for (const double spill_start : {0.0, 0.5, 0.85, 1.0}) {
    for (const uint64_t spill : {uint64_t{0}, uint64_t{7}, uint64_t{5000}, uint64_t{1} << 40}) {
      uint64_t last = 0;
      for (int percent = 0; percent <= 100; percent++) {
        const uint64_t nanos = NanosPerKibAt(percent / 100.0, spill_start, spill);
        EXPECT_GE(nanos, last);
        last = nanos;
      }
      EXPECT_EQ(last, NanosPerKibAt(2, spill_start, spill));
      EXPECT_LE(last, 1'000'000u);  // at least 1 MiB/s
    }
  }
}

// Writers are somewhat slower than spills free space, at a constant rate up to kPoolSteady, and
// slower after it.
TEST(WriteControllerTest, WritersKeepStepWithSpills) {
  EXPECT_LT(NanosPerKibAt(0.805, 0.8, 5000), 4100u);
  for (int percent = 10; percent <= 55; percent++) {
    EXPECT_NEAR(8000, static_cast<double>(NanosPerKibAt(0.8 + 0.2 * percent / 100, 0.8, 5000)), 1)
        << percent;
  }
  for (int percent = 60; percent <= 90; percent++) {
    const uint64_t nanos = NanosPerKibAt(0.8 + 0.2 * percent / 100, 0.8, 5000);
    EXPECT_GT(nanos, NanosPerKibAt(0.8 + 0.2 * (percent - 5) / 100, 0.8, 5000)) << percent;
    EXPECT_LE(nanos, 20010u) << percent;
  }
  EXPECT_GT(NanosPerKibAt(0.97, 0.8, 5000), 15000u);
  EXPECT_GT(NanosPerKibAt(1, 0.8, 5000), 600'000u);
}

}  // namespace
}  // namespace leveldb
