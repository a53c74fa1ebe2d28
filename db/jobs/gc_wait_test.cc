// Tests value-log garbage collection (GC) that has to wait for room, step by step.
#include <gtest/gtest.h>

#include "db/jobs/tier_work_test.h"

namespace leveldb {
namespace {

PmemTierOptions Spilling(double from, double to) {
  PmemTierOptions options;
  options.spill_start = from;
  options.spill_stop = to;
  return options;
}

// Begins when most large values have been replaced by small ones, everything is merged, and a
// search has found garbage.
class GcWaitTest : public TierWorkFixture {
 protected:
  void Begin(bool spill) {
    PmemTierOptions options;
    options.spill = spill;
    Begin(options);
  }

  void Begin(const PmemTierOptions& options) {
    Start(kPool, options);
    work_ = std::make_unique<TierWork>(scheduler_->context());
    WriteRounds(2000, 0);
    WriteRounds(100, 4);
    std::optional<TierTask> task;
    while ((task = PickInPool(work_.get())).has_value() && task->merge.has_value()) {
      Do(work_.get(), &*task);
    }
    ASSERT_TRUE(task.has_value() && !task->gc.has_value());
    Do(work_.get(), &*task);
  }

  // Flushes values of `size` bytes for all keys but every `kept`th.
  void WriteRounds(size_t size, int kept) {
    for (int i = 0; i < kKeys; i++) {
      if (kept == 0 || i % kept != 0) Put(KeyOf(i), std::string(size, 'v'));
      if ((i + 1) % (kKeys / 4) != 0) continue;
      ASSERT_NO_FATAL_FAILURE(FlushToTree());
    }
  }

  // Flushes four trees that overlap, which makes a merge due.
  void MakeMergeDue() {
    for (int round = 0; round < 4; round++) {
      PutMany(round, kKeys / 10, 100, 10);
      ASSERT_NO_FATAL_FAILURE(FlushToTree());
    }
  }

  std::optional<TierTask> PickStep() {
    std::optional<TierTask> task = PickInPool(work_.get());
    EXPECT_TRUE(!task.has_value() || task->gc.has_value());
    return task;
  }

  bool IsStarved() {
    MutexLock lock(&state_->mutex);
    return work_->IsStarved();
  }

  void ExpectGcGoesOnToItsEnd() {
    const uint64_t used = tier_->extents()->used_bytes();
    std::optional<TierTask> step = PickStep();
    ASSERT_TRUE(step.has_value());
    for (; step.has_value() && step->gc.has_value(); step = PickInPool(work_.get())) {
      Do(work_.get(), &*step);
    }
    EXPECT_LT(tier_->extents()->used_bytes(), used * 3 / 4);
    ExpectModel();
  }

  static constexpr int kKeys = 8000;
  std::unique_ptr<TierWork> work_;
};

TEST_F(GcWaitTest, GcForWhichThereIsNoRoomNowGoesOnWhenThereIs) {
  ASSERT_NO_FATAL_FAILURE(Begin(/*spill=*/true));
  FillUpTo(0);
  EXPECT_FALSE(PickStep().has_value());
  EXPECT_TRUE(IsStarved()) << "spills are to make room";
  ReleaseTaken();
  ExpectGcGoesOnToItsEnd();
  EXPECT_FALSE(IsStarved());
}

// The spill of a range waits for a compaction of the table that it overlaps.
TEST_F(GcWaitTest, ASpillThatWaitsForAJobDoesNotHideThatGcWaitsForRoom) {
  ASSERT_NO_FATAL_FAILURE(Begin(/*spill=*/true));
  state_->SetTier(nullptr);
  Put(KeyOf(0) + "x", "in a table");
  Put(KeyOf(kKeys) + "x", "in a table");
  Flush();
  state_->SetTier(tier_.get());
  ASSERT_EQ(1, version()->num_files(2));
  ManualJob range;
  range.range.level = 1;
  {
    MutexLock lock(&state_->mutex);
    version()->files(2)[0]->being_compacted = true;
    work_->manual_spills()->push_back(&range);
  }
  FillUpTo(0);
  EXPECT_FALSE(PickStep().has_value());
  EXPECT_TRUE(IsStarved());
  EXPECT_FALSE(PickSpill(work_.get()).has_value());
  {
    MutexLock lock(&state_->mutex);
    EXPECT_TRUE(work_->manual_spill_waits());
  }
  EXPECT_FALSE(PickStep().has_value());
  EXPECT_TRUE(IsStarved());
}

TEST_F(GcWaitTest, AStepThatFindsNoRoomIsTriedAgainWhenThereIsMore) {
  ASSERT_NO_FATAL_FAILURE(Begin(/*spill=*/true));
  std::optional<TierTask> step = PickStep();
  ASSERT_TRUE(step.has_value());
  FillUpTo(3);  // the copies there must not stay
  const uint64_t used = tier_->extents()->used_bytes();
  work_->Run(&*step, [] {});
  ASSERT_EQ(JobOutcome::kNoRoom, step->outcome);
  EXPECT_LE(tier_->extents()->used_bytes(), used + kExtent) << "one is being filled";
  {
    MutexLock lock(&state_->mutex);
    work_->Finish(&*step);
  }
  step.reset();  // releases the tree
  EXPECT_FALSE(PickStep().has_value());
  EXPECT_TRUE(IsStarved());
  ReleaseTaken();
  ExpectGcGoesOnToItsEnd();
}

TEST_F(GcWaitTest, GcThatWaitsIsNotHeardWhileAMergeRuns) {
  ASSERT_NO_FATAL_FAILURE(Begin(/*spill=*/true));
  FillUpTo(0);
  EXPECT_FALSE(PickStep().has_value());
  EXPECT_TRUE(IsStarved());
  ReleaseTaken();
  WriteRounds(100, 0);
  std::optional<TierTask> merge = PickInPool(work_.get());
  ASSERT_TRUE(merge.has_value() && merge->merge.has_value());
  EXPECT_FALSE(IsStarved()) << "there is room, and spills are not asked for";
  Do(work_.get(), &*merge);
}

// Writers continue to fill the pool, and the values that GC has moved take room twice until it is
// over.
TEST_F(GcWaitTest, AboveTheStartOfSpillsGcThatHasBegunComesBeforeMerges) {
  ASSERT_NO_FATAL_FAILURE(Begin(Spilling(0.1, 0.05)));
  WriteRounds(100, 0);
  std::optional<TierTask> task;
  int steps = 0;
  while ((task = PickInPool(work_.get())).has_value() && task->gc.has_value()) {
    Do(work_.get(), &*task);
    steps++;
  }
  EXPECT_GT(steps, 0);
  ASSERT_TRUE(task.has_value());
  EXPECT_FALSE(task->merge.has_value()) << "there may be more to sweep";
  Do(work_.get(), &*task);
  EXPECT_TRUE(PickMerge(work_.get()).has_value());
  ExpectModel();
}

TEST_F(GcWaitTest, MergesThatWritersWaitForComeBeforeGc) {
  ASSERT_NO_FATAL_FAILURE(Begin(Spilling(0.1, 0.05)));
  WriteRounds(100, 0);
  WriteRounds(100, 0);
  std::optional<TierTask> merge = PickInPool(work_.get());
  ASSERT_TRUE(merge.has_value());
  EXPECT_TRUE(merge->merge.has_value());
  Do(work_.get(), &*merge);
  std::optional<TierTask> step = PickStep();
  ASSERT_TRUE(step.has_value());
  Do(work_.get(), &*step);
}

// A merge that waits for room makes spills due, but not while GC comes before it. (A trivial move
// needs no room, and is done first.)
TEST_F(GcWaitTest, MergesThatGcComesBeforeDoNotHaveSpillsMakeRoom) {
  ASSERT_NO_FATAL_FAILURE(Begin(Spilling(0.7, 0.65)));
  ASSERT_NO_FATAL_FAILURE(MakeMergeDue());
  FillUpTo(0);
  for (std::optional<TierTask> move; (move = PickInPool(work_.get())).has_value();) {
    ASSERT_TRUE(move->merge.has_value() && move->merge->is_trivial_move);
    Do(work_.get(), &*move);
  }
  EXPECT_TRUE(IsStarved()) << "neither the sweep nor the merge has room";
  FillUpTo(100);
  std::optional<TierTask> step = PickStep();
  ASSERT_TRUE(step.has_value());
  EXPECT_FALSE(IsStarved());
  Do(work_.get(), &*step);
  ReleaseTaken();
  ExpectModel();
}

TEST_F(GcWaitTest, AMergeThatFoundNoRoomStillWaitsForItAfterGc) {
  ASSERT_NO_FATAL_FAILURE(Begin(Spilling(0.7, 0.65)));
  ASSERT_NO_FATAL_FAILURE(MakeMergeDue());
  std::optional<TierTask> merge = PickInPool(work_.get());
  ASSERT_TRUE(merge.has_value() && merge->merge.has_value());
  FillUpTo(0);
  work_->Run(&*merge, [] {});
  ASSERT_EQ(JobOutcome::kNoRoom, merge->outcome);
  FillUpTo(100);
  {
    MutexLock lock(&state_->mutex);
    work_->Finish(&*merge);
  }
  merge.reset();  // releases its trees
  std::optional<TierTask> step = PickStep();
  ASSERT_TRUE(step.has_value());
  EXPECT_TRUE(IsStarved());
  Do(work_.get(), &*step);
  step.reset();  // releases its tree
  merge = PickMerge(work_.get());
  ASSERT_TRUE(merge.has_value()) << "the sweep has made room";
  EXPECT_FALSE(IsStarved());
  Do(work_.get(), &*merge);
  ReleaseTaken();
  ExpectModel();
}

// Each spill ends with a search for garbage, and there is no room for a further GC run that would
// be worthwhile.
TEST_F(GcWaitTest, WhatGcThatWaitsIsGoingToFreeStillCounts) {
  ASSERT_NO_FATAL_FAILURE(Begin(Spilling(0.25, 0.2)));
  FillUpTo(0);
  EXPECT_FALSE(PickStep().has_value());
  std::optional<TierTask> spill = PickSpill(work_.get());
  ASSERT_TRUE(spill.has_value());
  Do(work_.get(), &*spill);
  ReleaseTaken();
  std::optional<TierTask> task;
  while ((task = PickInPool(work_.get())).has_value() && !task->gc.has_value()) {
    Do(work_.get(), &*task);
  }
  ASSERT_TRUE(task.has_value());
  EXPECT_FALSE(PickSpill(work_.get()).has_value());
  Do(work_.get(), &*task);
}

TEST_F(GcWaitTest, WithoutSpillingGcWithoutRoomIsGivenUp) {
  ASSERT_NO_FATAL_FAILURE(Begin(/*spill=*/false));
  FillUpTo(0);
  EXPECT_FALSE(PickStep().has_value());
  EXPECT_FALSE(IsStarved());
  ReleaseTaken();
  EXPECT_FALSE(PickStep().has_value()) << "the next merge looks anew";
  ExpectModel();
}

TEST_F(GcWaitTest, ADrainDoesNotWaitForGc) {
  ASSERT_NO_FATAL_FAILURE(Begin(/*spill=*/true));
  FillUpTo(0);
  EXPECT_FALSE(PickStep().has_value());
  {
    MutexLock lock(&state_->mutex);
    work_->StartDrain();
  }
  EXPECT_FALSE(IsStarved());
  EXPECT_FALSE(PickStep().has_value());
  for (std::optional<TierTask> spill; (spill = PickSpill(work_.get())).has_value();) {
    Do(work_.get(), &*spill);
  }
  {
    MutexLock lock(&state_->mutex);
    EXPECT_TRUE(work_->IsDrained());
  }
  ReleaseTaken();
  ExpectModel();
}

}  // namespace
}  // namespace leveldb
