#include "benchmarks/throughput_meter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace leveldb::bench {
namespace {

TEST(ThroughputMeterTest, TheLineHasColumns) {
  EXPECT_EQ("fillrandom   :    3.0 s      312450 ops/s    324.1 MB/s   longest pause    7 ms\n",
            FormatThroughput("fillrandom", {3, 312450, 324.1, 7}));
}

// The last moment may be too short for a sample; its work is missing.
TEST(ThroughputMeterTest, SamplesAddUpToTheWork) {
  std::atomic<uint64_t> done{0};
  ThroughputMeter meter("test", [&done] {
    const uint64_t n = done.load();
    return WorkDone{n, n * 1048576};
  });
  for (int i = 0; i < 1300; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    done.fetch_add(2);
  }
  const std::vector<ThroughputSample>& samples = meter.Stop();
  ASSERT_FALSE(samples.empty());
  double operations = 0;
  double began = 0;
  for (const ThroughputSample& sample : samples) {
    EXPECT_GT(sample.end_seconds, began);
    EXPECT_GT(sample.operations_per_second, 0);
    operations += sample.operations_per_second * (sample.end_seconds - began);
    EXPECT_NEAR(sample.operations_per_second, sample.megabytes_per_second, 1e-6);
    began = sample.end_seconds;
  }
  EXPECT_LT(operations, 2600.001);
}

TEST(ThroughputMeterTest, APauseIsSeenInTheSecondThatItFills) {
  ThroughputMeter meter("test", [] { return WorkDone{5, 5}; });
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  const std::vector<ThroughputSample> samples = meter.Stop();
  ASSERT_FALSE(samples.empty());
  EXPECT_EQ(0, samples[0].operations_per_second);
  EXPECT_GE(samples[0].longest_pause_millis, 990);
}

TEST(ThroughputMeterTest, ShortWorkHasNoSample) {
  ThroughputMeter meter("test", [] { return WorkDone(); });
  meter.Stop();
  EXPECT_LE(meter.Stop().size(), 1u);
}

}  // namespace
}  // namespace leveldb::bench
