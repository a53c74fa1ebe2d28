#include "port/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace leveldb {
namespace {

struct Counter {
  Mutex mutex;
  int value GUARDED_BY(mutex) = 0;
};

TEST(MutexTest, KeepsThreadsApart) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&counter] {
      for (int i = 0; i < 10000; i++) {
        MutexLock lock(&counter.mutex);
        counter.mutex.AssertHeld();
        counter.value++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&counter.mutex);
  EXPECT_EQ(counter.value, 40000);
}

TEST(MutexTest, TryLockFailsWhileHeld) {
  Mutex mutex;
  mutex.Lock();
  bool taken = true;
  std::thread([&mutex, &taken]() NO_THREAD_SAFETY_ANALYSIS { taken = mutex.TryLock(); }).join();
  EXPECT_FALSE(taken);
  mutex.Unlock();
  taken = mutex.TryLock();
  if (taken) mutex.Unlock();
  EXPECT_TRUE(taken);
}

TEST(MutexTest, UnlockGuardOpensAndCloses) {
  Mutex mutex;
  MutexLock lock(&mutex);
  {
    MutexUnlock unlock(&mutex);
    bool taken = false;
    std::thread([&mutex, &taken]() NO_THREAD_SAFETY_ANALYSIS {
      taken = mutex.TryLock();
      if (taken) mutex.Unlock();
    }).join();
    EXPECT_TRUE(taken);
  }
  mutex.AssertHeld();
}

TEST(CondVarTest, PassesATokenBackAndForth) {
  Counter counter;
  CondVar changed(&counter.mutex);
  const auto take_turns = [&counter, &changed](int parity) {
    MutexLock lock(&counter.mutex);
    while (counter.value < 1000) {
      if (counter.value % 2 == parity) {
        counter.value++;
        changed.SignalAll();
      } else {
        changed.Wait();
      }
    }
    changed.SignalAll();
  };
  std::thread even(take_turns, 0);
  std::thread odd(take_turns, 1);
  even.join();
  odd.join();
  MutexLock lock(&counter.mutex);
  EXPECT_EQ(counter.value, 1000);
}

TEST(CondVarTest, WaitForReturnsWithoutASignal) {
  Mutex mutex;
  CondVar changed(&mutex);
  MutexLock lock(&mutex);
  // A wait may end early for no reason, but not always.
  bool timed_out = false;
  while (!timed_out) timed_out = !changed.WaitFor(std::chrono::microseconds(100));
  mutex.AssertHeld();
}

}  // namespace
}  // namespace leveldb
