// Tests that an awaited thread is moved if it is ready and has no processor, and that its affinity
// mask does not change.

#include "port/awaited_thread.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace leveldb {
namespace {

using std::chrono::steady_clock;

TEST(AwaitedThreadTest, NobodyIsMovedWhereNobodyIsAwaited) {
  AwaitedThread awaited;
  EXPECT_FALSE(awaited.MoveHere());
  { const AwaitedThread::Scope scope(&awaited); }
  EXPECT_FALSE(awaited.MoveHere());
}

// The sanitizers detect races between the threads.
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
  EXPECT_FALSE(awaited.MoveHere());
}

cpu_set_t Those(int processor, int other_one) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  CPU_SET(static_cast<unsigned>(other_one), &set);
  return set;
}

void Confine(pid_t thread, const cpu_set_t& set) {
  EXPECT_EQ(0, sched_setaffinity(thread, sizeof(set), &set));
}

// The fixture has two processors, which may be the same one, and a thread that is awaited.
class PlacedThreadTest : public testing::Test {
 protected:
  void SetUp() override {
    if (sched_getaffinity(0, sizeof(all_), &all_) != 0) GTEST_SKIP() << "too many processors";
    for (int i = 0; i < CPU_SETSIZE; i++) {
      if (!CPU_ISSET(static_cast<unsigned>(i), &all_)) continue;
      if (here_ < 0) here_ = i;
      there_ = i;
    }
    Confine(0, Those(here_, here_));
  }

  void TearDown() override {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
    if (here_ >= 0) Confine(0, all_);
  }

  // Starts the awaited thread on `there_`; from then on it may run on those in `allowed`.
  void Start(bool sleeps, const cpu_set_t& allowed) {
    threads_.emplace_back([this, sleeps] {
      Confine(0, Those(there_, there_));
      const AwaitedThread::Scope scope(&awaited_);
      id_ = gettid();
      while (!done_) {
        processor_ = sched_getcpu();
        if (sleeps) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    while (id_ == 0) std::this_thread::yield();
    Confine(id_, allowed);
  }

  // Keeps the processor `there_` busy.
  void Occupy() {
    std::atomic<bool> runs{false};
    threads_.emplace_back([this, &runs] {
      Confine(0, Those(there_, there_));
      runs = true;
      while (!done_) continue;
    });
    while (!runs) std::this_thread::yield();
  }

  void ExpectAllowed(const cpu_set_t& expected) {
    cpu_set_t allowed;
    ASSERT_EQ(0, sched_getaffinity(id_, sizeof(allowed), &allowed));
    EXPECT_TRUE(CPU_EQUAL(&expected, &allowed));
  }

  void ExpectStaysAllowed(const cpu_set_t& allowed) {
    Start(/*sleeps=*/true, allowed);
    const auto end = steady_clock::now() + std::chrono::seconds(60);
    while (!awaited_.MoveHere()) ASSERT_LT(steady_clock::now(), end);  // it may be awake
    ExpectAllowed(allowed);
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

TEST_F(PlacedThreadTest, OneThatWaitsBehindAnotherOneComesHere) {
  Occupy();
  Start(/*sleeps=*/false, Those(here_, there_));
  const auto end = steady_clock::now() + std::chrono::seconds(60);
  while (processor_ != here_ && steady_clock::now() < end) {
    awaited_.MoveHere();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(here_, processor_);
}

TEST_F(PlacedThreadTest, OneThatRunsIsSeenToRun) {
  if (here_ == there_) GTEST_SKIP() << "there is one processor";
  Start(/*sleeps=*/false, all_);
  const auto end = steady_clock::now() + std::chrono::seconds(60);
  while (awaited_.MoveHere()) {  // other threads may occupy the processor `there_`
    ASSERT_LT(steady_clock::now(), end);
    Confine(id_, Those(there_, there_));
    Confine(id_, all_);
  }
}

TEST_F(PlacedThreadTest, OneThatMayRunOnEverythingStillMay) {
  ExpectStaysAllowed(all_);
}

TEST_F(PlacedThreadTest, OneThatIsConfinedStaysSo) {
  ExpectStaysAllowed(Those(here_, here_));
}

TEST_F(PlacedThreadTest, OneThatIsConfinedToTwoStaysSo) {
  ExpectStaysAllowed(Those(here_, there_));
}

TEST_F(PlacedThreadTest, OneThatMayNotRunHereIsLeftThere) {
  if (here_ == there_) GTEST_SKIP() << "there is one processor";
  Start(/*sleeps=*/true, Those(there_, there_));
  for (int i = 0; i < 1000; i++) EXPECT_FALSE(awaited_.MoveHere());
  ExpectAllowed(Those(there_, there_));
}

}  // namespace
}  // namespace leveldb
