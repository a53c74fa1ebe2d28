#include "benchmarks/progress_line.h"

#include <gtest/gtest.h>

namespace leveldb::bench {
namespace {

TEST(ProgressLineTest, RateAndTimeLeft) {
  EXPECT_EQ("fillrandom    25.0%     125,000 ops/s    6.0 s left",
            FormatProgress("fillrandom", 250'000, 1'000'000, 2));
}

TEST(ProgressLineTest, LongTimesInMinutes) {
  EXPECT_EQ("fillrandom     0.1%       1,000 ops/s    16 min 39 s left",
            FormatProgress("fillrandom", 1000, 1'000'000, 1));
}

TEST(ProgressLineTest, BeforeTheFirstAndAfterTheLastOperation) {
  EXPECT_EQ("compact        0.0%           0 ops/s", FormatProgress("compact", 0, 1, 5));
  EXPECT_EQ("compact      100.0%           1 ops/s", FormatProgress("compact", 1, 1, 1));
  EXPECT_EQ("x              0.0%           0 ops/s", FormatProgress("x", 0, 0, 0));
}

}  // namespace
}  // namespace leveldb::bench
