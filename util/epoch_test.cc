#include "util/epoch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "util/random.h"

namespace leveldb {
namespace {

TEST(EpochTest, WithoutGuardsEveryEpochPasses) {
  const uint64_t first = epoch::Advance();
  EXPECT_TRUE(epoch::Passed(first));
  EXPECT_EQ(epoch::Advance(), first + 1);
  ASSERT_TRUE(epoch::Wait(first + 1, std::chrono::minutes(1)));
}

TEST(EpochTest, AGuardHoldsItsEpochAndLaterOnes) {
  const uint64_t before = epoch::Advance();
  std::atomic<bool> entered{false};
  std::atomic<bool> leave{false};
  std::thread reader([&entered, &leave] {
    const EpochGuard guard;
    entered = true;
    while (!leave) std::this_thread::yield();
  });
  while (!entered) std::this_thread::yield();
  const uint64_t during = epoch::Advance();
  const uint64_t later = epoch::Advance();
  EXPECT_TRUE(epoch::Passed(before));
  EXPECT_FALSE(epoch::Passed(during));
  EXPECT_FALSE(epoch::Passed(later));
  leave = true;
  ASSERT_TRUE(epoch::Wait(later, std::chrono::minutes(1)));
  EXPECT_TRUE(epoch::Passed(during));
  reader.join();
}

TEST(EpochTest, GuardsEnteredLaterDoNotHold) {
  const uint64_t before = epoch::Advance();
  const EpochGuard guard;
  EXPECT_TRUE(epoch::Passed(before));
}

TEST(EpochTest, GuardsNest) {
  uint64_t retired;
  {
    const EpochGuard outer;
    {
      const EpochGuard inner;
      retired = epoch::Advance();
    }
    EXPECT_FALSE(epoch::Passed(retired));
    {
      const EpochGuard inner;  // Does not renew the outer one.
      EXPECT_FALSE(epoch::Passed(retired));
    }
  }
  EXPECT_TRUE(epoch::Passed(retired));
}

TEST(EpochTest, SlotsOfEndedThreadsAreUsedAgain) {
  using epoch_internal::Slot;
  Slot* first = nullptr;
  std::thread([&first] {
    const EpochGuard guard;
    first = epoch_internal::thread_slot;
  }).join();
  ASSERT_NE(first, nullptr);
  // Any of the free slots may be taken, so claim as many as there can be.
  bool again = false;
  for (int i = 0; i < 100 && !again; i++) {
    std::thread([&again, first] {
      const EpochGuard guard;
      again = epoch_internal::thread_slot == first;
    }).join();
  }
  EXPECT_TRUE(again);
}

// Uses a guard in the destructor of a thread_local object, while the thread ends.
struct LateUser {
  ~LateUser() {
    const EpochGuard guard;
    used->fetch_add(1);
  }
  std::atomic<int>* used = nullptr;
};

TEST(EpochTest, GuardsWorkWhileAThreadEnds) {
  std::atomic<int> used{0};
  for (int i = 0; i < 10; i++) {
    std::thread([&used] {
      thread_local LateUser user;
      user.used = &used;
      const EpochGuard guard;
    }).join();
  }
  EXPECT_EQ(used.load(), 10);
  EXPECT_TRUE(epoch::Passed(epoch::Advance()));
}

// Readers follow a pointer that a writer keeps replacing; the writer overwrites what it frees.
TEST(EpochTest, NobodySeesAFreedObject) {
  struct Thing {
    std::atomic<uint64_t> life{1};
  };
  std::atomic<Thing*> shared{new Thing};
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; t++) {
    readers.emplace_back([&shared, &done] {
      while (!done) {
        const EpochGuard guard;
        const Thing* const thing = shared.load();
        for (int i = 0; i < 10; i++) ASSERT_EQ(thing->life.load(std::memory_order_relaxed), 1u);
      }
    });
  }
  for (int round = 0; round < 3000; round++) {
    Thing* const old = shared.exchange(new Thing);
    const uint64_t retired = epoch::Advance();
    if (round % 2 == 0) {
      ASSERT_TRUE(epoch::Wait(retired, std::chrono::minutes(1)));
    } else {
      while (!epoch::Passed(retired)) std::this_thread::yield();
    }
    old->life.store(0, std::memory_order_relaxed);
    delete old;
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  delete shared.load();
}

TEST(EpochTest, AForkedChildDoesNotWaitForLostThreads) {
  std::atomic<bool> entered{false};
  std::atomic<bool> leave{false};
  std::thread reader([&entered, &leave] {
    const EpochGuard guard;
    entered = true;
    while (!leave) std::this_thread::yield();
  });
  while (!entered) std::this_thread::yield();
  const uint64_t retired = epoch::Advance();
  const pid_t child = fork();
  if (child == 0) _exit(epoch::Passed(retired) ? 0 : 1);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_FALSE(epoch::Passed(retired));
  leave = true;
  reader.join();
}

}  // namespace
}  // namespace leveldb
