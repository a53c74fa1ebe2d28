#include "util/micros_since.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

class StoppedClock final : public EnvWrapper {
 public:
  explicit StoppedClock(uint64_t micros) : EnvWrapper(Env::Default()), micros_(micros) {}

  uint64_t NowMicros() override { return micros_; }

 private:
  const uint64_t micros_;
};

TEST(MicrosSinceTest, IsNoTimeWhereTheClockWasSetBack) {
  StoppedClock env(1000);
  EXPECT_EQ(900u, MicrosSince(&env, 100));
  EXPECT_EQ(0u, MicrosSince(&env, 1000));
  EXPECT_EQ(0u, MicrosSince(&env, 1001));
}

}  // namespace
}  // namespace leveldb
