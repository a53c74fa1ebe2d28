#include "benchmarks/control_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace leveldb::bench {
namespace {

TEST(ControlThreadTest, SeesSomePauseAndKeepsTheLongest) {
  ControlThread control;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double longest = control.Stop();
  EXPECT_GT(longest, 0);
  EXPECT_EQ(longest, control.Stop());
}

}  // namespace
}  // namespace leveldb::bench
