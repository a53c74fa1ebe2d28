#include "util/recent_pace.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

constexpr uint64_t kBytes = 1023 * 1024;  // which counts as 1,024 KiB

TEST(RecentPaceTest, FollowsWhatIsMeasured) {
  RecentPace pace;
  EXPECT_EQ(0u, pace.nanos_per_kib());
  pace.Add(1024, kBytes);
  EXPECT_EQ(1000u, pace.nanos_per_kib());
  pace.Add(2048, kBytes);
  EXPECT_EQ(1250u, pace.nanos_per_kib());
  for (int i = 0; i < 50; i++) pace.Add(100, kBytes);
  EXPECT_NEAR(97, static_cast<double>(pace.nanos_per_kib()), 4);
}

TEST(RecentPaceTest, NoTimeIsNoMeasurement) {
  RecentPace pace;
  pace.Add(0, kBytes);
  EXPECT_EQ(0u, pace.nanos_per_kib());
  pace.Add(1024, kBytes);
  pace.Add(0, kBytes);
  EXPECT_EQ(1000u, pace.nanos_per_kib());
}

TEST(RecentPaceTest, AKibMoreIsCounted) {
  EXPECT_EQ(5000u, NanosPerKib(5, 0));
  EXPECT_EQ(5000u, NanosPerKib(5, 1000));
  EXPECT_EQ(2500u, NanosPerKib(5, 1024));
}

}  // namespace
}  // namespace leveldb
