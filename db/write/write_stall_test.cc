#include "db/write/write_stall.h"

#include <gtest/gtest.h>

#include "db/version/level_limits.h"

namespace leveldb {
namespace {

TEST(WriteStallTest, NothingIsOwedWhileTheBackgroundKeepsUp) {
  StallInputs inputs;
  inputs.level0_files = kLevel0SlowdownTrigger - 1;
  inputs.flush_nanos_per_kib = 5000;
  inputs.memtable_bytes = inputs.memtable_limit = 1000;
  EXPECT_EQ(0u, DelayNanosPerKib(inputs));
}

TEST(WriteStallTest, DelayGrowsWithLevel0AndStaysFinite) {
  StallInputs inputs;
  uint64_t last = 0;
  for (int files = kLevel0SlowdownTrigger; files <= kLevel0StopTrigger; files++) {
    inputs.level0_files = files;
    EXPECT_GT(DelayNanosPerKib(inputs), last);
    last = DelayNanosPerKib(inputs);
  }
  inputs.level0_files = 1000;
  EXPECT_EQ(last, DelayNanosPerKib(inputs));
}

TEST(WriteStallTest, WritersApproachTheSpeedOfTheFlushAsTheMemtableFills) {
  StallInputs inputs;
  inputs.flush_pending = true;
  inputs.flush_nanos_per_kib = 5000;
  inputs.memtable_limit = 100;
  uint64_t last = 0;
  for (size_t fill = 0; fill <= 100; fill += 5) {
    inputs.memtable_bytes = fill;
    const uint64_t delay = DelayNanosPerKib(inputs);
    EXPECT_GE(delay, last);
    EXPECT_LE(delay, inputs.flush_nanos_per_kib);
    if (fill <= 25) {
      EXPECT_EQ(0u, delay);
    }
    last = delay;
  }
  EXPECT_EQ(inputs.flush_nanos_per_kib, last);
}

TEST(WriteStallTest, TheLargerDelayCounts) {
  StallInputs inputs;
  inputs.level0_files = kLevel0SlowdownTrigger;
  const uint64_t level0_delay = DelayNanosPerKib(inputs);
  inputs.flush_pending = true;
  inputs.flush_nanos_per_kib = level0_delay * 3;
  inputs.memtable_bytes = inputs.memtable_limit = 100;
  EXPECT_EQ(level0_delay * 3, DelayNanosPerKib(inputs));
  inputs.flush_nanos_per_kib = 1;
  EXPECT_EQ(level0_delay, DelayNanosPerKib(inputs));
}

}  // namespace
}  // namespace leveldb
