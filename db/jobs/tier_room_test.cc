// Tests what happens when the pool is full.

#include <gtest/gtest.h>

#include <algorithm>

#include "db/jobs/tier_jobs_test.h"
#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

constexpr uint64_t kTinyPool = 8 << 20;

class TierRoomTest : public TierFixture {
 protected:
  // The scheduler's mutex is the state's, which the analysis cannot see.
  bool MakeSpace(uint64_t bytes = 0) NO_THREAD_SAFETY_ANALYSIS {
    MutexLock lock(&state_->mutex);
    return scheduler_->MakeSpace(bytes);
  }
};

TEST_F(TierRoomTest, AFlushWithoutRoomWaitsForASpill) {
  Start(kTinyPool);
  PutMany(0, 1000, 400);
  Flush();
  ASSERT_EQ(1u, NumTrees(0));
  PutMany(0, 1000, 20);
  FillUpTo(1);
  Flush();
  EXPECT_TRUE(BackgroundError().ok()) << BackgroundError().ToString();
  // One spill makes room, and a second one moves the new tree as well: the pool is still full.
  EXPECT_EQ(2u, stats().spills.value());
  EXPECT_EQ(2u, stats().flushes.value());
  EXPECT_FALSE(state_->pressure.flush_pending);
  ExpectModel();
  ReleaseTaken();
}

// A writer that fills the pool reports it in the middle of a memtable.
TEST_F(TierRoomTest, WhoLooksForWorkFindsASpillThatNoFlushHasAskedFor) {
  Start(kTinyPool);
  PutMany(0, 1000, 400);
  Flush();
  PutMany(0, 10, 20);
  FillUpTo(0);
  ASSERT_EQ(0u, stats().spills.value());
  scheduler_->Raise();
  env_.RunAll();
  EXPECT_GT(stats().spills.value(), 0u);
  EXPECT_EQ(1u, stats().flushes.value());
  ReleaseTaken();
  Flush();
  ExpectModel();
}

TEST_F(TierRoomTest, AFlushThatNothingCanMakeRoomForGoesToATable) {
  Start(kTinyPool);
  PutMany(0, 1000, 20);
  PutMany(1000, 10, 1000);
  FillUpTo(0);
  Flush();
  EXPECT_TRUE(BackgroundError().ok()) << BackgroundError().ToString();
  EXPECT_TRUE(group().empty());
  EXPECT_EQ(1, NumTablesOnDisk());
  ExpectModel();
  ReleaseTaken();
}

TEST_F(TierRoomTest, AViewThatKeepsTheRoomDoesNotStopFlushes) {
  Start(kTinyPool);
  PutMany(0, 1000, 400);
  Flush();
  const std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  PutMany(0, 1000, 20);
  FillUpTo(0);
  Flush();
  EXPECT_TRUE(BackgroundError().ok()) << BackgroundError().ToString();
  EXPECT_TRUE(group().empty());
  ExpectModel();
  EXPECT_EQ(1u, view->version->group()->tree_count());
  ReleaseTaken();
}

TEST_F(TierRoomTest, WithoutSpillingAFullPoolIsAnErrorThatSaysWhatToDo) {
  PmemTierOptions options;
  options.spill = false;
  Start(kTinyPool, options);
  PutMany(0, 1000, 20);
  Flush();
  PutMany(0, 1000, 20);
  FillUpTo(0);
  Flush();
  const Status error = BackgroundError();
  EXPECT_TRUE(error.IsIOError());
  EXPECT_NE(std::string::npos, error.ToString().find(tier_->pool()->path())) << error.ToString();
  EXPECT_NE(std::string::npos, error.ToString().find("spilling")) << error.ToString();
  EXPECT_TRUE(state_->pressure.flush_pending);  // nothing is lost
  EXPECT_EQ(1u, NumTrees(0));
  ReleaseTaken();
}

TEST_F(TierRoomTest, AMergeWithoutRoomWaitsForASpill) {
  Start(kTinyPool);
  for (int round = 0; round < 3; round++) {
    PutMany(0, 1500, 100);
    Flush();
  }
  PutMany(0, 1500, 100);
  Switch();
  scheduler_->Raise();
  ASSERT_TRUE(env_.RunOne());
  ASSERT_EQ(4u, NumTrees(0));
  FillUpTo(2);
  env_.RunAll();
  EXPECT_TRUE(BackgroundError().ok()) << BackgroundError().ToString();
  EXPECT_GT(stats().spills.value(), 0u);
  EXPECT_LT(NumTrees(0), 4u);
  ExpectModel();
  ReleaseTaken();
}

TEST_F(TierRoomTest, WithoutSpillingMergesWithoutRoomAreAnErrorWhenLevel0IsFull) {
  PmemTierOptions options;
  options.spill = false;
  Start(kTinyPool, options);
  // Each tree takes an extent, and merges leave some for flushes.
  FillUpTo(kLevel0StopDepth + 1);
  int rounds = 0;
  while (BackgroundError().ok() && rounds++ < 20) {
    PutMany(0, 2, 20, 1999);
    Flush();
  }
  EXPECT_TRUE(BackgroundError().IsIOError()) << BackgroundError().ToString();
  EXPECT_EQ(static_cast<size_t>(kLevel0StopDepth), NumTrees(0));
  ReleaseTaken();
}

TEST_F(TierRoomTest, AWriterThatFindsNoRoomIsToldWhetherToWait) {
  PmemTierOptions options;
  Start(kTinyPool, options);
  EXPECT_FALSE(MakeSpace());  // nothing could be moved
  PutMany(0, 100, 1000);
  Flush();
  ASSERT_EQ(1u, NumTrees(0));
  kept_version_.reset();
  FillUpTo(0);
  EXPECT_TRUE(MakeSpace());
  env_.RunAll();
  EXPECT_TRUE(group().empty());
  kept_version_.reset();
  EXPECT_GE(tier_->extents()->free_bytes(), kExtent);
  EXPECT_FALSE(MakeSpace());
  ReleaseTaken();
}

// A few free extents are not enough for a large value.
TEST_F(TierRoomTest, AWriterWaitsForAsMuchAsItNeeds) {
  Start(kTinyPool);
  PutMany(0, 100, 1000);
  Flush();
  ASSERT_EQ(1u, NumTrees(0));
  kept_version_.reset();
  FillUpTo(10);
  const uint64_t wanted = 20 * kExtent;
  ASSERT_LT(tier_->extents()->free_bytes(), wanted);
  EXPECT_TRUE(MakeSpace(wanted));
  env_.RunAll();
  EXPECT_TRUE(group().empty());
  // The wait is in vain, and the request is dropped afterwards.
  EXPECT_FALSE(MakeSpace(wanted));
  PutMany(0, 100, 1000);
  Flush();
  env_.RunAll();
  EXPECT_EQ(1u, NumTrees(0));
  ReleaseTaken();
}

TEST_F(TierRoomTest, AWriterDoesNotWaitAfterAnErrorOrInVain) {
  PmemTierOptions options;
  options.spill = false;
  Start(kTinyPool, options);
  PutMany(0, 100, 1000);
  Flush();
  env_.RunAll();
  EXPECT_FALSE(MakeSpace());
  {
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("the test", Status::IOError("disk full"));
  }
  EXPECT_FALSE(MakeSpace());
}

// All kinds of jobs together, in a pool that is always full.
TEST_F(TierRoomTest, ATinyPoolHoldsOut) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  PmemTierOptions options;
  options.gc_ratio = 0.2;
  Start(kTinyPool, options);
  // Fewer rounds may not fill the pool.
  const int rounds = std::max(testkit::Scaled(60), 30);
  for (int round = 0; round < rounds; round++) {
    // A memtable of a fifth of the pool.
    for (uint64_t bytes = 0; bytes < 500 << 10;) {
      const std::string key = KeyOf(static_cast<int>(dice.Below(2000)));
      if (dice.OneIn(5)) {
        Delete(key);
        bytes += 20;
      } else {
        const size_t size = dice.OneIn(2) ? dice.Below(200) : dice.Below(3000);
        Put(key, dice.Bytes(size));
        bytes += 20 + size;
      }
      if (HasFatalFailure()) return;
    }
    if (dice.OneIn(6)) {
      Switch();
      std::atomic<bool> done{false};
      std::thread caller([&] {
        scheduler_->CompactGroup(nullptr, nullptr);
        done = true;
      });
      scheduler_->Raise();
      while (!done) env_.RunAll();
      caller.join();
      env_.RunAll();
    } else {
      Flush();
    }
    ASSERT_TRUE(BackgroundError().ok()) << BackgroundError().ToString();
    ASSERT_FALSE(state_->pressure.flush_pending);
    kept_version_.reset();
    if (round % 5 == 0) ExpectModel();
    if (HasFailure()) return;
  }
  EXPECT_GT(stats().spills.value(), 0u);
  EXPECT_GT(stats().merges.value(), 0u);
}

}  // namespace
}  // namespace leveldb
