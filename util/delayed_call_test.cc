#include "util/delayed_call.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace leveldb {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Calls counts calls, and waits for them.
class Calls {
 public:
  void Add() {
    const std::lock_guard lock(mutex_);
    count_++;
    changed_.notify_all();
  }

  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  void WaitFor(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

TEST(DelayedCallTest, IsNotCalledUnlessItIsArmed) {
  Calls calls;
  {
    DelayedCall call(milliseconds(0), [&] { calls.Add(); });
  }
  EXPECT_EQ(0, calls.count());
}

TEST(DelayedCallTest, IsCalledOnceAfterTheDelay) {
  Calls calls;
  DelayedCall call(milliseconds(20), [&] { calls.Add(); });
  const steady_clock::time_point begin = steady_clock::now();
  call.Arm();
  call.Arm();
  calls.WaitFor(1);
  EXPECT_GE(steady_clock::now() - begin, milliseconds(20));
  call.Arm();
  calls.WaitFor(2);
  EXPECT_EQ(2, calls.count());
}

TEST(DelayedCallTest, MayArmItself) {
  Calls calls;
  DelayedCall* armed = nullptr;
  DelayedCall call(milliseconds(1), [&] {
    calls.Add();
    if (calls.count() < 3) armed->Arm();
  });
  armed = &call;
  call.Arm();
  calls.WaitFor(3);
}

TEST(DelayedCallTest, WhatIsArmedDoesNotHoldItsEnd) {
  Calls calls;
  {
    DelayedCall call(std::chrono::hours(1), [&] { calls.Add(); });
    call.Arm();
  }
  EXPECT_EQ(0, calls.count());
}

}  // namespace
}  // namespace leveldb
