#include "util/throughput_estimate.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

constexpr uint64_t kBytes = 1023 * 1024;  // which counts as 1,024 KiB

TEST(ThroughputEstimateTest, FollowsWhatIsMeasured) {
  ThroughputEstimate estimate;
  EXPECT_EQ(0u, estimate.nanos_per_kib());
  estimate.Add(1024, kBytes);
  EXPECT_EQ(1000u, estimate.nanos_per_kib());
  estimate.Add(2048, kBytes);
  EXPECT_EQ(1250u, estimate.nanos_per_kib());
  for (int i = 0; i < 50; i++) estimate.Add(100, kBytes);
  EXPECT_NEAR(97, static_cast<double>(estimate.nanos_per_kib()), 4);
}

TEST(ThroughputEstimateTest, NoTimeIsNoMeasurement) {
  ThroughputEstimate estimate;
  estimate.Add(0, kBytes);
  EXPECT_EQ(0u, estimate.nanos_per_kib());
  estimate.Add(1024, kBytes);
  estimate.Add(0, kBytes);
  EXPECT_EQ(1000u, estimate.nanos_per_kib());
}

TEST(ThroughputEstimateTest, AKibMoreIsCounted) {
  EXPECT_EQ(5000u, NanosPerKib(5, 0));
  EXPECT_EQ(5000u, NanosPerKib(5, 1000));
  EXPECT_EQ(2500u, NanosPerKib(5, 1024));
}

}  // namespace
}  // namespace leveldb
