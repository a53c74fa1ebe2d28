#include "db/write/commit_order.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "db/state/db_state.h"
#include "leveldb/helpers/memenv.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::Scaled;

class CommitOrderTest : public testing::Test {
 protected:
  CommitOrderTest() {
    Options options;
    options.env = env_.get();
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
    state_->versions->SetLastSequence(10);
    order_ = std::make_unique<CommitOrder>(state_.get());
  }

  SequenceNumber visible() const { return state_->versions->LastSequence(); }

  bool Begin(uint64_t count, CommitOrder::Turn* turn) {
    return order_->Begin(
        count, [](SequenceNumber /*first*/) { return true; }, turn);
  }

  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  std::unique_ptr<DbState> state_;
  std::unique_ptr<CommitOrder> order_;
};

TEST_F(CommitOrderTest, NumbersGoOnBehindWhatIsVisible) {
  CommitOrder::Turn first;
  CommitOrder::Turn second;
  ASSERT_TRUE(Begin(3, &first));
  ASSERT_TRUE(Begin(1, &second));
  EXPECT_EQ(11u, first.first);
  EXPECT_EQ(13u, first.last);
  EXPECT_EQ(14u, second.first);
  EXPECT_EQ(14u, second.last);
  EXPECT_EQ(10u, visible());
  EXPECT_TRUE(order_->End(first, 0));
  EXPECT_EQ(13u, visible());
  EXPECT_TRUE(order_->End(second, 1));
  EXPECT_EQ(14u, visible());
}

TEST_F(CommitOrderTest, AWriteThatCannotBeTakenGetsNoNumber) {
  CommitOrder::Turn turn;
  EXPECT_FALSE(order_->Begin(
      5, [](SequenceNumber first) { return first != 11; }, &turn));
  ASSERT_TRUE(Begin(1, &turn));
  EXPECT_EQ(11u, turn.first);
}

TEST_F(CommitOrderTest, NumbersEnd) {
  order_->Skip(kMaxSequenceNumber - 2);
  CommitOrder::Turn turn;
  EXPECT_FALSE(Begin(3, &turn));
  EXPECT_TRUE(Begin(2, &turn));
  EXPECT_FALSE(Begin(1, &turn));
}

// Everything visible is fenced, whichever thread has written it.
TEST_F(CommitOrderTest, OnlyAWriteWhileAnotherIsUnderWayIsBehindOthers) {
  CommitOrder::Turn turn;
  CommitOrder::Turn other;
  ASSERT_TRUE(Begin(1, &turn));
  EXPECT_FALSE(turn.is_behind_others);
  ASSERT_TRUE(Begin(1, &other));
  EXPECT_TRUE(other.is_behind_others);
  ASSERT_TRUE(order_->End(turn, 0));
  ASSERT_TRUE(Begin(1, &turn));
  EXPECT_TRUE(turn.is_behind_others);
  ASSERT_TRUE(order_->End(other, 1));
  ASSERT_TRUE(order_->End(turn, 0));
  ASSERT_TRUE(Begin(1, &other));
  EXPECT_FALSE(other.is_behind_others);
  ASSERT_TRUE(order_->End(other, 1));
  order_->Skip(20);
  ASSERT_TRUE(Begin(1, &turn));
  EXPECT_FALSE(turn.is_behind_others);
}

TEST_F(CommitOrderTest, AWriteBeforeOneThatHasFailedBecomesVisible) {
  for (int i = 0; i < Scaled(2000); i++) {
    CommitOrder order(state_.get());
    CommitOrder::Turn turns[3];
    for (CommitOrder::Turn& turn : turns) {
      ASSERT_TRUE(order.Begin(
          2, [](SequenceNumber /*first*/) { return true; }, &turn));
    }
    std::thread other([&] { EXPECT_TRUE(order.End(turns[1], 1)); });
    EXPECT_TRUE(order.End(turns[0], 0));
    order.Break();
    other.join();
    EXPECT_EQ(turns[1].last, visible());
  }
}

// Background threads yield their processor to a write that others wait for.
TEST_F(CommitOrderTest, AWriteThatIsWaitedForIsKnownAsSuch) {
  const std::atomic<int>& awaited = state_->pressure.waiting.for_turns;
  CommitOrder::Turn first;
  CommitOrder::Turn second;
  ASSERT_TRUE(Begin(1, &first));
  ASSERT_TRUE(Begin(1, &second));
  EXPECT_EQ(0, awaited);
  std::thread other([&] { EXPECT_TRUE(order_->End(second, 1)); });
  while (awaited == 0) std::this_thread::yield();
  EXPECT_TRUE(order_->End(first, 0));
  other.join();
  EXPECT_EQ(0, awaited);
}

TEST_F(CommitOrderTest, BehindAWriteThatHasFailedNothingBecomesVisible) {
  CommitOrder::Turn first;
  CommitOrder::Turn second;
  ASSERT_TRUE(Begin(1, &first));
  ASSERT_TRUE(Begin(1, &second));
  std::thread other([&] { EXPECT_FALSE(order_->End(second, 1)); });
  order_->Break();
  other.join();
  EXPECT_EQ(10u, visible());
  EXPECT_EQ(0, state_->pressure.waiting.for_turns);
}

// Runs two threads, on one processor or on all of them. On one, each thread finds that the other
// has stopped at an arbitrary point.
class CommitOrderThreadsTest : public CommitOrderTest, public testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(Processors, CommitOrderThreadsTest, testing::Bool(),
                         [](const auto& instance) { return instance.param ? "One" : "All"; });

void StayOnThisProcessor() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &processors);
  ASSERT_EQ(0, sched_setaffinity(0, sizeof(processors), &processors));
}

TEST_P(CommitOrderThreadsTest, WhatIsVisibleIsAPrefix) {
  const int rounds = Scaled(20000);
  constexpr uint64_t kMostEntries = 3;
  std::vector<std::atomic<bool>> done(11 + 2 * kMostEntries * static_cast<size_t>(rounds));
  std::atomic<int> wrong{0};
  std::atomic<uint64_t> entries{0};
  const auto write = [&](size_t shard) {
    SequenceNumber checked = 10;
    for (int i = 0; i < rounds; i++) {
      CommitOrder::Turn turn;
      const uint64_t count = 1 + static_cast<uint64_t>(i) % kMostEntries;
      entries += count;
      if (!Begin(count, &turn)) wrong++;
      for (SequenceNumber each = turn.first; each <= turn.last; each++) {
        done[each].store(true, std::memory_order_relaxed);
      }
      if (!order_->End(turn, shard)) wrong++;
      const SequenceNumber now = visible();
      if (now < turn.last) wrong++;
      for (; checked < now; checked++) {
        if (!done[checked + 1].load(std::memory_order_relaxed)) wrong++;
      }
    }
  };
  // A thread inherits the processor affinity of the thread that creates it.
  std::thread maker([&] {
    if (GetParam()) StayOnThisProcessor();
    std::thread other(write, 1);
    write(0);
    other.join();
  });
  maker.join();
  EXPECT_EQ(0, wrong.load());
  EXPECT_EQ(10 + entries.load(), visible());
}

}  // namespace
}  // namespace leveldb
