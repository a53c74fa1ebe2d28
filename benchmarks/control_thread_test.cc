#include "benchmarks/control_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <thread>

namespace leveldb::bench {
namespace {

TEST(ControlThreadTest, SeesSomePauseAndKeepsTheLongest) {
  ControlThread control;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double longest = control.Stop();
  EXPECT_GT(longest, 0);
  EXPECT_EQ(longest, control.Stop());
  EXPECT_EQ(longest, control.PauseBehind(0));
  for (size_t i = 1; i < ControlThread::kKept; i++) {
    EXPECT_LE(control.PauseBehind(i), control.PauseBehind(i - 1));
  }
  EXPECT_GT(control.PauseBehind(9), 0);
  EXPECT_EQ(0, control.PauseBehind(ControlThread::kKept));
}

}  // namespace
}  // namespace leveldb::bench
