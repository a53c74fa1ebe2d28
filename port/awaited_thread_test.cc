// A thread that is awaited is moved when it is ready and has no processor, and only then.

#include "port/awaited_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace leveldb {
namespace {

TEST(AwaitedThreadTest, NobodyIsMovedWhereNobodyIsAwaited) {
  AwaitedThread awaited;
  EXPECT_FALSE(awaited.MoveHere());
  { const AwaitedThread::Scope scope(&awaited); }
  EXPECT_FALSE(awaited.MoveHere());
}

TEST(AwaitedThreadTest, OneThatCallsIsRunning) {
  AwaitedThread awaited;
  const AwaitedThread::Scope scope(&awaited);
  EXPECT_FALSE(awaited.MoveHere());
}

TEST(AwaitedThreadTest, ManyMayAskWhileThreadsComeAndGo) {
  AwaitedThread awaited;
  std::atomic<bool> done{false};
  std::vector<std::thread> askers;
  for (int i = 0; i < 2; i++) {
    askers.emplace_back([&] {
      while (!done) {
        awaited.MoveHere();
        std::this_thread::yield();
      }
    });
  }
  for (int i = 0; i < 100; i++) {
    std::thread([&] {
      const AwaitedThread::Scope scope(&awaited);
      std::this_thread::yield();
    }).join();
  }
  done = true;
  for (std::thread& asker : askers) asker.join();
}

#if defined(__linux__)

cpu_set_t Only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  return set;
}

// Two processors, which may be the same one, and a thread that is awaited and never sleeps.
class PlacedThreadTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(0, sched_getaffinity(0, sizeof(all_), &all_));
    for (int i = 0; i < CPU_SETSIZE; i++) {
      if (!CPU_ISSET(static_cast<unsigned>(i), &all_)) continue;
      if (here_ < 0) here_ = i;
      there_ = i;
    }
    const cpu_set_t here = Only(here_);
    ASSERT_EQ(0, sched_setaffinity(0, sizeof(here), &here));
  }

  void TearDown() override {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
    sched_setaffinity(0, sizeof(all_), &all_);
  }

  // Starts the awaited thread at one processor; from then on it may run on those in `allowed`.
  void Start(int processor, const cpu_set_t& allowed) {
    const cpu_set_t first = Only(processor);
    threads_.emplace_back([this, first] {
      sched_setaffinity(0, sizeof(first), &first);
      const AwaitedThread::Scope scope(&awaited_);
      id_ = gettid();
      while (!done_) processor_ = sched_getcpu();
    });
    while (id_ == 0) std::this_thread::yield();
    ASSERT_EQ(0, sched_setaffinity(id_, sizeof(allowed), &allowed));
  }

  // One that keeps a processor busy.
  void Occupy(int processor) {
    const cpu_set_t only = Only(processor);
    std::atomic<bool> runs{false};
    threads_.emplace_back([this, only, &runs] {
      sched_setaffinity(0, sizeof(only), &only);
      runs = true;
      while (!done_) continue;
    });
    while (!runs) std::this_thread::yield();
  }

  // The scheduler may do something else just now, but not always.
  bool ComesTo(bool moved) {
    for (int i = 0; i < 100000; i++) {
      if (awaited_.MoveHere() == moved) return true;
    }
    return false;
  }

  void ExpectAllowed(const cpu_set_t& expected) {
    cpu_set_t allowed;
    ASSERT_EQ(0, sched_getaffinity(id_, sizeof(allowed), &allowed));
    EXPECT_TRUE(CPU_EQUAL(&expected, &allowed));
  }

  cpu_set_t all_;
  int here_ = -1;  // where the test runs
  int there_ = -1;
  AwaitedThread awaited_;
  std::atomic<pid_t> id_{0};
  std::atomic<int> processor_{-1};
  std::atomic<bool> done_{false};
  std::vector<std::thread> threads_;
};

TEST_F(PlacedThreadTest, OneThatWaitsBehindAnotherOneIsMoved) {
  Occupy(there_);
  Start(there_, all_);
  EXPECT_TRUE(ComesTo(/*moved=*/true));
  while (processor_ != here_) std::this_thread::yield();
  ExpectAllowed(all_);
}

TEST_F(PlacedThreadTest, WhatItMayRunOnStaysAsItWas) {
  Start(here_, Only(here_));
  EXPECT_TRUE(ComesTo(/*moved=*/true));  // it has no processor, since the test has that
  ExpectAllowed(Only(here_));
}

TEST_F(PlacedThreadTest, OneThatRunsIsLeftThere) {
  if (here_ == there_) GTEST_SKIP() << "there is one processor";
  Start(there_, all_);
  EXPECT_TRUE(ComesTo(/*moved=*/false));
}

TEST_F(PlacedThreadTest, OneThatMayNotRunHereIsLeftThere) {
  if (here_ == there_) GTEST_SKIP() << "there is one processor";
  Occupy(there_);
  Start(there_, Only(there_));
  for (int i = 0; i < 1000; i++) EXPECT_FALSE(awaited_.MoveHere());
  ExpectAllowed(Only(there_));
  EXPECT_EQ(there_, processor_);
}

#endif

}  // namespace
}  // namespace leveldb
