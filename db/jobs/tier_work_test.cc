// Tests what TierWork picks next, step by step.

#include "db/jobs/tier_work.h"

#include <gtest/gtest.h>

#include "db/jobs/flush_job.h"
#include "db/jobs/tier_work_test.h"
#include "db/version/level_limits.h"

namespace leveldb {
namespace {

class TierWorkTest : public TierWorkFixture {
 protected:
  // Makes two trees of level 1, and four of level 0 over one of them.
  void MakeTreesToMerge() {
    for (const int first : {0, 5000}) {
      for (int round = 0; round < 4; round++) {
        PutMany(first, 750, 2000);
        Flush();
      }
    }
    ASSERT_EQ(2u, NumTrees(1));
    for (int round = 0; round < 4; round++) {
      PutMany(0, 100, 100);
      ASSERT_NO_FATAL_FAILURE(FlushToTree());
    }
  }

  // Makes two trees of level 0. A merge of them for `range` finds no room, although the count of
  // free bytes says that there is some.
  void FailToMerge(TierWork* work, ManualJob* range) {
    for (int round = 0; round < 2; round++) {
      PutMany(0, 750, 200);
      ASSERT_NO_FATAL_FAILURE(FlushToTree());
    }
    {
      MutexLock lock(&state_->mutex);
      work->manual_merges()->push_back(range);
    }
    std::optional<TierTask> merge = PickInPool(work);
    ASSERT_TRUE(merge.has_value() && merge->manual == range);
    FillUpTo(0);
    work->Run(&*merge, [] {});
    ReleaseTaken();
    ASSERT_EQ(JobOutcome::kNoRoom, merge->outcome);
    MutexLock lock(&state_->mutex);
    work->Finish(&*merge);
  }
};

// Memtables are small relative to the pool, so that level 0 may collect trees.
class CollectingTest : public TierWorkTest {
 protected:
  void SetUp() override { Begin(PmemTierOptions()); }

  void Begin(const PmemTierOptions& options) {
    write_buffer_size_ = 64 << 10;
    Start(kPool, options);
    work_ = std::make_unique<TierWork>(scheduler_->context());
  }

  void FlushMany(int times) {
    for (int i = 0; i < times; i++) FlushOne(300, 100);
  }

  void FlushOne(int entries, size_t value_size) {
    PutMany(flushes_++, entries, value_size);
    Switch();
    FlushJob job(scheduler_->context(), FlushTarget::kTree);
    ASSERT_EQ(JobOutcome::kDone, job.Run());
    MutexLock lock(&state_->mutex);
    work_->FlushEnded(job, JobOutcome::kDone);
  }

  // Returns the number of trees of level 0 of the merge that is due now; the merge is not run.
  size_t MergeDue() {
    std::optional<TierTask> task = PickMerge(work_.get());
    if (!task.has_value()) return 0;
    task->outcome = JobOutcome::kNoRoom;
    MutexLock lock(&state_->mutex);
    work_->Finish(&*task);
    return task->merge->inputs[0].size();
  }

  bool WaitsForQuiet() {
    MutexLock lock(&state_->mutex);
    return work_->WaitsForQuiet();
  }

  // Returns whether a read-triggered compaction is to be suggested.
  bool LookForQuiet() {
    MutexLock lock(&state_->mutex);
    return work_->LookForQuiet();
  }

  std::unique_ptr<TierWork> work_;
  int flushes_ = 0;
};

TEST_F(CollectingTest, Level0GrowsAsLongAsNobodyReadsIt) {
  FlushMany(3);
  EXPECT_FALSE(WaitsForQuiet()) << "with so few trees there is nothing to do even then";
  FlushMany(kMostTreesPerMerge - 4);
  EXPECT_EQ(0u, MergeDue());
  EXPECT_TRUE(WaitsForQuiet());
  EXPECT_LT(state_->pressure.level0_tree_depth, kLevel0CompactionTrigger);
  FlushMany(1);
  EXPECT_FALSE(WaitsForQuiet());
  EXPECT_EQ(static_cast<size_t>(kMostTreesPerMerge), MergeDue());
}

TEST_F(CollectingTest, Level0IsMergedSoonerWhereReadsLookIntoIt) {
  FlushMany(3);
  state_->runs_are_read = true;
  FlushMany(1);
  EXPECT_FALSE(WaitsForQuiet());
  EXPECT_EQ(4u, MergeDue());
}

TEST_F(CollectingTest, ReadsCountFromOneFlushToTheNext) {
  FlushMany(4);
  state_->runs_are_read = true;
  FlushMany(1);
  FlushMany(1);
  EXPECT_TRUE(WaitsForQuiet());
  EXPECT_EQ(0u, MergeDue());
}

class WithoutSpillingTest : public CollectingTest {
 protected:
  void SetUp() override {
    PmemTierOptions options;
    options.spill = false;
    Begin(options);
  }
};

TEST_F(WithoutSpillingTest, MergesKeepUpSinceNothingElseMakesRoom) {
  FlushMany(4);
  EXPECT_FALSE(WaitsForQuiet());
  EXPECT_EQ(kLevel0CompactionTrigger, state_->pressure.level0_tree_depth);
  EXPECT_EQ(4u, MergeDue());
}

TEST_F(WithoutSpillingTest, WritersDoNotGoByHowFastMergesAre) {
  FlushMany(4);
  std::optional<TierTask> task = PickMerge(work_.get());
  ASSERT_TRUE(task.has_value());
  Do(work_.get(), &*task);
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(0u, state_->pressure.merge_throughput.nanos_per_kib());
}

TEST_F(CollectingTest, Level0IsMergedWhenWritersAreQuiet) {
  FlushMany(5);
  LookForQuiet();
  EXPECT_EQ(0u, MergeDue());
  FlushMany(1);
  LookForQuiet();
  EXPECT_EQ(0u, MergeDue()) << "there was a flush in between";
  EXPECT_TRUE(WaitsForQuiet());
  LookForQuiet();
  EXPECT_FALSE(WaitsForQuiet());
  EXPECT_EQ(6u, MergeDue());
}

// The entries of a read-triggered compaction that takes long.
constexpr int kManyEntries = 130'000;

TEST_F(CollectingTest, ALongReadTriggeredCompactionIsSuggestedWhenIdle) {
  FlushOne(kManyEntries, 8);
  EXPECT_FALSE(WaitsForQuiet()) << "there is one run";
  FlushOne(kManyEntries, 8);
  EXPECT_TRUE(WaitsForQuiet());
  EXPECT_FALSE(LookForQuiet());
  PutMany(0, 1, 8);
  EXPECT_FALSE(LookForQuiet()) << "there was a write in between";
  EXPECT_TRUE(LookForQuiet());
  EXPECT_FALSE(WaitsForQuiet()) << "it is suggested once";
  PutMany(0, 1, 8);
  EXPECT_TRUE(WaitsForQuiet());
}

TEST_F(CollectingTest, AReadTriggeredCompactionIsSuggestedAgainAfterAFlush) {
  for (int i = 0; i < 2; i++) FlushOne(kManyEntries, 8);
  LookForQuiet();
  EXPECT_TRUE(LookForQuiet());
  FlushMany(1);
  LookForQuiet();
  EXPECT_TRUE(LookForQuiet());
}

TEST_F(CollectingTest, ReadTriggeredCompactionsThatWriteManyTimesWhatIsNewWaitForReads) {
  FlushOne(kManyEntries, 8);
  flushes_ = kManyEntries;
  FlushOne(kManyEntries, 8);
  {
    MutexLock lock(&state_->mutex);
    work_->SuggestReadTriggeredCompaction();
  }
  while (std::optional<TierTask> task = PickInPool(work_.get())) Do(work_.get(), &*task);
  ASSERT_EQ(0u, NumTrees(0));
  flushes_ = kManyEntries / 2;
  FlushMany(1);
  EXPECT_FALSE(WaitsForQuiet());
  FlushOne(kManyEntries, 40);
  EXPECT_TRUE(WaitsForQuiet());
}

TEST_F(CollectingTest, ReadTriggeredCompactionsWaitForReadsWithoutATimer) {
  for (int i = 0; i < 2; i++) FlushOne(kManyEntries, 8);
  MutexLock lock(&state_->mutex);
  work_->AssumeQuiet();
  EXPECT_FALSE(work_->WaitsForQuiet());
}

// A merge of level 0 waits for a tree that a spill has taken; then the merge is no longer needed.
TEST_F(TierWorkTest, ADrainSpillsWhatAMergeHadBeenWaitingFor) {
  Start(kPool);
  ASSERT_NO_FATAL_FAILURE(MakeTreesToMerge());
  ASSERT_EQ(4u, NumTrees(0));

  TierWork work(scheduler_->context());
  FillUpTo(0);
  std::optional<TierTask> spill;
  {
    MutexLock lock(&state_->mutex);
    work.WriterWaits(0);
    spill = work.PickSpill();
  }
  ReleaseTaken();
  ASSERT_TRUE(spill.has_value());
  ASSERT_EQ(1, spill->spill->group_level);
  ASSERT_EQ(1u, spill->spill->trees[1].size());
  std::optional<TierTask> look = PickInPool(&work);
  ASSERT_TRUE(look.has_value());
  ASSERT_FALSE(look->merge.has_value());
  Do(&work, &*look);

  {
    MutexLock lock(&state_->mutex);
    work.StartDrain();
  }
  Do(&work, &*spill);
  EXPECT_FALSE(PickInPool(&work).has_value());
  while ((spill = PickSpill(&work)).has_value()) Do(&work, &*spill);
  MutexLock lock(&state_->mutex);
  EXPECT_TRUE(work.IsDrained());
}

// While a spill runs, memtables become trees as long as that is allowed.
TEST_F(CollectingTest, ADrainComesToItsEndBesideWritersWhoAreFasterThanSpills) {
  constexpr int kFlushesPerSpill = 30;
  const auto choose = [this] {
    MutexLock lock(&state_->mutex);
    return work_->ChooseFlush(*state_->immutable());
  };
  FlushMany(20);
  {
    MutexLock lock(&state_->mutex);
    work_->StartDrain();
  }
  bool is_full = false;
  int flushes = 0;
  int spills = 0;
  for (std::optional<TierTask> spill; (spill = PickSpill(work_.get())).has_value(); spills++) {
    ASSERT_LT(spills, 50) << NumTrees(0) << " trees are left";
    for (int i = 0; i < kFlushesPerSpill; i++) {
      if (!is_full) {
        PutMany(flushes, 300, 100);
        Switch();
      }
      const std::optional<FlushTarget> target = choose();
      is_full = !target.has_value();
      if (is_full) break;
      ASSERT_EQ(FlushTarget::kTree, *target);
      ASSERT_EQ(JobOutcome::kDone, FlushJob(scheduler_->context(), FlushTarget::kTree).Run());
      flushes++;
    }
    Do(work_.get(), &*spill);
  }
  EXPECT_GT(flushes, kFlushesPerSpill) << "writers go on until only the end is left";
  ASSERT_TRUE(is_full) << "the last of them wait for it";
  EXPECT_EQ(FlushTarget::kTable, *choose());
  MutexLock lock(&state_->mutex);
  EXPECT_TRUE(work_->IsDrained());
}

// The caller may have seen trees that a drain has since removed, together with the tier.
TEST_F(TierWorkTest, AMergeOfARangeIsOverWhenTheTierIsGone) {
  Start(kPool);
  TierWork work(scheduler_->context());
  ManualJob range;
  {
    MutexLock lock(&state_->mutex);
    work.StartDrain();
    state_->SetTier(nullptr);
    work.manual_merges()->push_back(&range);
  }
  EXPECT_FALSE(PickInPool(&work).has_value());
  EXPECT_TRUE(range.done);
  EXPECT_EQ(0u, work.manual_merges()->size());
}

// The compaction continues until everything is in one run. Trees flushed meanwhile stay where they
// are.
TEST_F(TierWorkTest, AReadTriggeredCompactionMergesWhatWasThereLevelByLevel) {
  Start(kPool);
  TierWork work(scheduler_->context());
  const auto flush = [this](int round) {
    PutMany(round, 300, 100);
    ASSERT_NO_FATAL_FAILURE(FlushToTree());
  };
  const auto suggest = [this, &work] {
    MutexLock lock(&state_->mutex);
    work.SuggestReadTriggeredCompaction();
  };
  const auto pick_read_triggered = [this, &work] { return PickMerge(&work); };
  flush(0);
  suggest();
  EXPECT_FALSE(pick_read_triggered().has_value()) << "there is one run only";
  flush(100);
  flush(200);
  suggest();
  std::optional<TierTask> task = pick_read_triggered();
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(MergeReason::kReads, task->merge->reason);
  flush(300);
  Do(&work, &*task);
  EXPECT_FALSE(pick_read_triggered().has_value());
  EXPECT_EQ(1u, NumTrees(0));
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(0u, state_->pressure.merge_throughput.nanos_per_kib())
      << "it is not what writers wait for";

  // A drain ends the compaction.
  suggest();
  {
    MutexLock lock(&state_->mutex);
    work.StartDrain();
  }
  EXPECT_FALSE(pick_read_triggered().has_value());
  ExpectModel();
}

// A merge of a range that found no room though there should have been some waits for a spill, and
// is not retried meanwhile.
TEST_F(TierWorkTest, AMergeOfARangeThatFoundNoRoomWaitsForASpill) {
  Start(kPool);
  TierWork work(scheduler_->context());
  ManualJob range;
  ASSERT_NO_FATAL_FAILURE(FailToMerge(&work, &range));
  EXPECT_FALSE(PickInPool(&work).has_value());
  std::optional<TierTask> spill = PickSpill(&work);
  ASSERT_TRUE(spill.has_value());
  EXPECT_FALSE(range.done);
  Do(&work, &*spill);
  for (std::optional<TierTask> task; (task = PickInPool(&work)).has_value();) Do(&work, &*task);
  EXPECT_TRUE(range.done);
  EXPECT_EQ(0u, NumTrees(0));
  ExpectModel();
}

TEST_F(TierWorkTest, WithoutSpillingAMergeOfARangeThatFoundNoRoomIsOver) {
  PmemTierOptions options;
  options.spill = false;
  Start(kPool, options);
  TierWork work(scheduler_->context());
  ManualJob range;
  ASSERT_NO_FATAL_FAILURE(FailToMerge(&work, &range));
  EXPECT_TRUE(range.done);
  MutexLock lock(&state_->mutex);
  EXPECT_EQ(0u, work.manual_merges()->size());
}

// A spill of a range waits for the merge that has taken its tree. Another spill that is due begins
// only when an operation waits for room.
TEST_F(TierWorkTest, WhileASpillOfARangeWaitsNoneIsBegunThatIsOnlyDue) {
  Start(kPool);
  state_->SetTier(nullptr);
  PutMany(0, 100, 100);
  Flush();
  state_->SetTier(tier_.get());
  ASSERT_NO_FATAL_FAILURE(MakeTreesToMerge());
  TierWork work(scheduler_->context());
  FillUpTo(kPool / kExtent / 8);
  std::optional<TierTask> merge = PickMerge(&work);
  ASSERT_TRUE(merge.has_value());
  ManualJob range;
  range.range.level = 1;
  {
    MutexLock lock(&state_->mutex);
    work.manual_spills()->push_back(&range);
  }
  EXPECT_FALSE(PickSpill(&work).has_value());
  {
    MutexLock lock(&state_->mutex);
    EXPECT_TRUE(work.manual_spill_waits());
    work.WriterWaits(kPool / 4);
  }
  std::optional<TierTask> spill = PickSpill(&work);
  ASSERT_TRUE(spill.has_value());
  EXPECT_EQ(nullptr, spill->manual);
  Do(&work, &*spill);
  ReleaseTaken();
  Do(&work, &*merge);
  spill = PickSpill(&work);
  ASSERT_TRUE(spill.has_value());
  EXPECT_EQ(&range, spill->manual);
  for (; spill.has_value(); spill = PickSpill(&work)) Do(&work, &*spill);
  EXPECT_TRUE(range.done);
  ExpectModel();
}

// Every extent holds values of all trees: before GC has run, spilling frees almost nothing.
TEST_F(TierWorkTest, SpillsWaitForGcThatIsGoingToFreeEnough) {
  PmemTierOptions options;
  options.spill_start = 0.6;
  options.spill_stop = 0.5;
  Start(kPool, options);
  TierWork work(scheduler_->context());
  for (int round = 0; round < 14; round++) {
    for (int i = 0; i < 750; i++) {
      const std::string value(2000, static_cast<char>('a' + i % 26));
      Put(KeyOf((round * 750 + i) * 2003 % 12000), value);
    }
    ASSERT_NO_FATAL_FAILURE(FlushToTree());
    for (std::optional<TierTask> task; (task = PickInPool(&work)).has_value();) Do(&work, &*task);
  }
  ASSERT_GT(tier_->extents()->use(), options.spill_start);
  for (;;) {
    std::optional<TierTask> task = PickSpill(&work);
    if (!task.has_value()) task = PickInPool(&work);
    if (!task.has_value()) break;
    Do(&work, &*task);
  }
  EXPECT_LT(tier_->extents()->use(), options.spill_start);
  EXPECT_GT(Entries(), 10500u / 3) << "nearly everything was spilled before any of it was swept";
  ExpectModel();
}

}  // namespace
}  // namespace leveldb
