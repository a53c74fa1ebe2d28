// Tests flushes, merges, spills and value-log garbage collection over a real pool, run by the
// scheduler.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "db/jobs/flush_job.h"
#include "db/jobs/tier_jobs_test.h"

namespace leveldb {
namespace {

constexpr uint64_t kPool = 32 << 20;

class TierJobsTest : public TierFixture {};

TEST_F(TierJobsTest, AFlushMakesATreeAndLeavesTheValuesWhereTheyAre) {
  Start(kPool);
  PutMany(0, 100, 1000);
  PutMany(100, 100, 20);
  const PoolOffset extent = values_->current();
  const uint64_t log = state_->versions->LogNumber();
  Flush();
  EXPECT_EQ(1u, NumTrees(0));
  EXPECT_GT(state_->versions->LogNumber(), log);
  EXPECT_EQ(200u, group().trees(0)[0]->record().entries);
  EXPECT_GT(group().trees(0)[0]->record().user_bytes, 100u * 1000);
  EXPECT_LT(stats().flush_bytes.value(), 20000u);
  EXPECT_EQ(2u, tier_->extents()->references(extent));  // the tree's, and the next memtable's
  ExpectModel();
}

TEST_F(TierJobsTest, AFlushLeavesOutWhatNobodyCanSee) {
  Start(kPool);
  for (int i = 0; i < 10; i++) PutMany(0, 10, 20);
  Delete(KeyOf(3));
  Flush();
  EXPECT_EQ(10u, Entries());  // the tombstone stays
  ExpectModel();
  const Snapshot* snapshot;
  std::map<std::string, std::string> before;
  {
    PutMany(0, 10, 30);
    before = model_;
    MutexLock lock(&state_->mutex);
    snapshot = state_->snapshots.Take(state_->versions->LastSequence());
  }
  PutMany(0, 10, 40);
  PutMany(0, 10, 50);
  Flush();
  EXPECT_EQ(10u + 30u, Entries());  // every entry newer than the snapshot may still be read
  ExpectModel();
  EXPECT_TRUE(before == Contents(static_cast<const ListedSnapshot*>(snapshot)->sequence()));
  MutexLock lock(&state_->mutex);
  state_->snapshots.Release(static_cast<const ListedSnapshot*>(snapshot));
}

TEST_F(TierJobsTest, AsMuchAsTheLargestMemtableTakesIsTouchedAhead) {
  write_buffer_size_ = 24 << 20;
  Start(512 << 20);
  PutMany(0, 1, 20);
  Flush();
  EXPECT_FALSE(tier_->extents()->PrefaultStep(2 * write_buffer_size_));
  EXPECT_TRUE(tier_->extents()->PrefaultStep(2 * write_buffer_size_ + kExtent));
}

// Writers use the progress: they must not fill the next memtable faster.
TEST_F(TierJobsTest, AFlushTellsHowFarItHasCome) {
  Start(kPool);
  for (const FlushTarget target : {FlushTarget::kTable, FlushTarget::kTree}) {
    PutMany(0, 1000, 200);
    Switch();
    state_->pressure.FlushIsAskedFor(0);
    ASSERT_EQ(JobOutcome::kDone, FlushJob(scheduler_->context(), target).Run());
    EXPECT_GT(state_->pressure.flushed_share, 0.75);
    EXPECT_LT(state_->pressure.flushed_share, 1);
  }
}

TEST_F(TierJobsTest, FourTreesAreMerged) {
  Start(kPool);
  for (int round = 0; round < 3; round++) {
    PutMany(round, 100, 1000, 3);
    Flush();
  }
  EXPECT_EQ(3u, NumTrees(0));
  PutMany(0, 100, 500);
  for (int i = 250; i < 300; i++) Delete(KeyOf(i));
  Flush();
  EXPECT_EQ(0u, NumTrees(0));
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(model_.size(), Entries());  // no tombstones: nothing is deeper
  EXPECT_EQ(1u, stats().merges.value());
  EXPECT_LT(stats().merge_bytes.value(), 40000u);  // values are not moved
  EXPECT_GT(state_->pressure.merge_throughput.nanos_per_kib(), 0u);
  ExpectModel();
}

// The scheduler checks on its own whether writers are quiet.
TEST_F(TierJobsTest, WhereLevel0CollectsTreesTheyAreMergedWhenWritersAreQuiet) {
  write_buffer_size_ = 64 << 10;
  Start(kPool);
  for (int round = 0; round < 5; round++) {
    PutMany(0, 100, 100);
    Flush();
  }
  while (NumTrees(0) > 0) {
    env_.RunAll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(1u, stats().merges.value());
  ExpectModel();
}

TEST_F(TierJobsTest, TreesThatDoNotOverlapAreMoved) {
  Start(kPool);
  for (int round = 0; round < 4; round++) {
    PutMany(round * 100, 100, 20);
    Flush();
  }
  EXPECT_EQ(3u, NumTrees(0));
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(0u, stats().merge_bytes.value());
  ExpectModel();
}

TEST_F(TierJobsTest, ASpillWritesTheValuesToTables) {
  PmemTierOptions options;
  options.spill_start = 0;
  options.spill_stop = 0;
  Start(kPool, options);
  const uint64_t used_before = tier_->extents()->used_bytes();
  PutMany(0, 100, 1000);
  PutMany(100, 100, 20);
  Delete(KeyOf(50));
  const std::string large(3 * kExtent, 'x');  // in chunks
  Put(KeyOf(60), large);
  Flush();
  EXPECT_TRUE(group().empty());
  EXPECT_GT(version()->num_files(2), 0);
  EXPECT_EQ(1u, stats().spills.value());
  EXPECT_GT(stats().spill_bytes.value(), 100u * 1000);
  EXPECT_GT(state_->pressure.spill_throughput.nanos_per_kib(), 0u);
  ExpectModel();
  // Only the open value extent is left, for the memtable.
  EXPECT_EQ(used_before + kExtent, tier_->extents()->used_bytes());
}

TEST_F(TierJobsTest, ASpillMergesWithTheTablesInItsWay) {
  PmemTierOptions options;
  options.spill_start = 0;
  options.spill_stop = 0;
  Start(kPool, options);
  PutMany(0, 200, 1000);
  Flush();
  PutMany(100, 50, 2000);
  for (int i = 0; i < 50; i++) Delete(KeyOf(i));
  Flush();
  EXPECT_TRUE(group().empty());
  EXPECT_EQ(1, version()->num_files(2));
  EXPECT_EQ(1, NumTablesOnDisk());
  ExpectModel();
  for (int i = 0; i < 200; i++) Delete(KeyOf(i));
  Put(KeyOf(200), std::string(100000, 'x'));
  Flush();
  ASSERT_EQ(1, version()->num_files(2));
  EXPECT_EQ(1, NumTablesOnDisk());
  ExpectModel();
  // Tombstones have nothing left to hide.
  EXPECT_EQ(KeyOf(200), version()->files(2)[0]->smallest.user_key().ToString());
}

TEST_F(TierJobsTest, TablesOfAPastWithoutTierJoinASpill) {
  PmemTierOptions options;
  options.spill = false;
  Start(kPool, options);
  {
    // As if there were no tier yet.
    state_->SetTier(nullptr);
    for (int round = 0; round < 3; round++) {
      PutMany(0, 100, 20 + static_cast<size_t>(round));
      Flush();
    }
    state_->SetTier(tier_.get());
  }
  EXPECT_EQ(1, version()->num_files(0));
  EXPECT_EQ(1, version()->num_files(1));
  EXPECT_EQ(1, version()->num_files(2));
  PutMany(0, 50, 1000);
  for (int i = 50; i < 100; i++) Delete(KeyOf(i));
  Flush();
  EXPECT_EQ(1u, NumTrees(0));
  ExpectModel();
  std::thread drain([this] { EXPECT_TRUE(scheduler_->DrainTier().ok()); });
  while (!group().empty()) env_.RunOne();
  drain.join();
  env_.RunAll();
  EXPECT_EQ(0, version()->num_files(0));
  EXPECT_EQ(1, version()->num_files(1));
  ExpectModel();
}

TEST_F(TierJobsTest, GarbageIsCollected) {
  Start(kPool);
  MakeGarbage(600);
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_GT(stats().gc_jobs.value(), 0u);
  EXPECT_LT(stats().gc_bytes.value(), 150u * 1000);
  ExpectModel();
  // The first values' extents are free again: live values, the memtable's extent, leaves.
  EXPECT_LT(tier_->extents()->used_bytes(), 600 * 1000 + 8 * kExtent);
  for (const TreePtr& tree : group().trees(1)) {
    const Status status = tree->Check([](const std::string& finding) { ADD_FAILURE() << finding; });
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

TEST_F(TierJobsTest, WhatAViewShowsIsNotFreed) {
  PmemTierOptions options;
  options.spill_start = 0;
  options.spill_stop = 0;
  Start(kPool, options);
  PutMany(0, 300, 1000);
  Switch();
  scheduler_->Raise();
  ASSERT_TRUE(env_.RunOne());  // the flush
  ASSERT_EQ(1u, NumTrees(0));
  std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  kept_version_.reset();
  const uint64_t used = tier_->extents()->used_bytes();
  env_.RunAll();
  EXPECT_TRUE(group().empty());
  kept_version_.reset();
  EXPECT_EQ(used, tier_->extents()->used_bytes());
  view.reset();
  EXPECT_FALSE(tier_->retired()->empty());
  scheduler_->Raise();
  env_.RunAll();
  EXPECT_EQ(kExtent, tier_->extents()->used_bytes());
  ExpectModel();
}

// A scheduled merge moves the tree deeper before the manual merge gets to it.
TEST_F(TierJobsTest, CompactRangeGoesAsDeepAsTreesHaveSunkMeanwhile) {
  Start(kPool);
  for (int round = 0; round < 4; round++) {
    PutMany(0, 3000, 100);
    Flush();
  }
  ASSERT_EQ(1u, NumTrees(1));
  for (int i = 0; i < 3000; i++) Delete(KeyOf(i));
  Switch();
  scheduler_->Raise();
  while (NumTrees(0) == 0) ASSERT_TRUE(env_.RunOne());  // the merge that follows has not run yet
  ASSERT_EQ(1u, NumTrees(1));
  ASSERT_EQ(0u, NumTrees(2));
  std::thread compaction([this] { scheduler_->CompactGroup(nullptr, nullptr); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that it has checked its state
  std::atomic<bool> is_done{false};
  std::thread background([&] {
    while (!is_done) env_.RunOne();
  });
  compaction.join();
  is_done = true;
  background.join();
  env_.RunAll();
  EXPECT_EQ(0u, Entries()) << version()->DebugString();
}

TEST_F(TierJobsTest, CompactRangeGoesThroughTheGroup) {
  Start(kPool);
  PutMany(0, 100, 20);
  Flush();
  PutMany(50, 100, 20);
  for (int i = 0; i < 20; i++) Delete(KeyOf(i));
  Flush();
  EXPECT_EQ(2u, NumTrees(0));
  std::atomic<bool> done{false};
  std::thread caller([&] {
    scheduler_->CompactGroup(nullptr, nullptr);
    done = true;
  });
  while (!done) env_.RunAll();
  caller.join();
  EXPECT_EQ(0u, NumTrees(0));
  EXPECT_EQ(model_.size(), Entries());
  ExpectModel();
  scheduler_->CompactGroup(nullptr, nullptr);  // returns: nothing is left to do
}

TEST_F(TierJobsTest, DrainingMovesEverythingOutAndFlushesToTables) {
  Start(kPool);
  for (int round = 0; round < 6; round++) {
    PutMany(round * 50, 200, 1000);
    Flush();
  }
  EXPECT_FALSE(group().empty());
  std::atomic<bool> done{false};
  std::thread drain([&] {
    EXPECT_TRUE(scheduler_->DrainTier().ok());
    done = true;
  });
  PutMany(1000, 10, 1000);
  Switch();
  scheduler_->Raise();
  while (!done) env_.RunAll();
  drain.join();
  env_.RunAll();
  EXPECT_TRUE(group().empty());
  ExpectModel();
  PutMany(2000, 10, 1000);
  Flush();
  EXPECT_TRUE(group().empty());
  ExpectModel();
  kept_version_.reset();
  VersionEdit leave;
  leave.pmem().LeaveTier();
  MutexLock lock(&state_->mutex);
  EXPECT_TRUE(state_->versions->LogAndApply(&leave, &state_->mutex).ok());
  EXPECT_FALSE(state_->versions->tier().has_value());
}

TEST_F(TierJobsTest, AfterAFailedManifestWriteNothingIsUsedAgain) {
  Start(kPool);
  for (int round = 0; round < 3; round++) {
    PutMany(0, 100, 100);
    Flush();
  }
  PutMany(0, 100, 100);
  Switch();
  scheduler_->Raise();
  ASSERT_TRUE(env_.RunOne());  // the flush; a merge is due
  ASSERT_EQ(4u, NumTrees(0));
  {
    // The next edit begins a new manifest, which can't be made.
    VersionEdit leave;
    leave.pmem().LeaveTier();
    MutexLock lock(&state_->mutex);
    env_.new_files_fail = true;
    EXPECT_FALSE(state_->versions->LogAndApply(&leave, &state_->mutex).ok());
    env_.new_files_fail = false;
  }
  const uint64_t used = tier_->extents()->used_bytes();
  PoolOffset extent;
  ASSERT_TRUE(tier_->extents()->Reserve(1, &extent).ok());
  tier_->extents()->Release(extent);
  EXPECT_EQ(used + kExtent, tier_->extents()->used_bytes());  // held back
  env_.RunAll();                                              // the merge's edit succeeds
  EXPECT_EQ(1u, NumTrees(1));
  kept_version_.reset();
  scheduler_->Raise();
  env_.RunAll();
  EXPECT_LT(tier_->extents()->used_bytes(), used);
  ExpectModel();
}

// The error is an IOError, as for a full pool, but waiting for room would not help.
TEST_F(TierJobsTest, AMergeThatTheManifestDoesNotTakeIsAnError) {
  PmemTierOptions options;
  options.spill = false;
  Start(kPool, options);
  for (int round = 0; round < 4; round++) {
    PutMany(0, 100, 100);
    Switch();
    scheduler_->Raise();
    ASSERT_TRUE(env_.RunOne());
    if (round < 3) env_.RunAll();
  }
  ASSERT_EQ(4u, NumTrees(0));
  env_.appends_fail = true;
  env_.RunAll();
  EXPECT_TRUE(BackgroundError().IsIOError());
  EXPECT_EQ(4u, NumTrees(0));
  ExpectModel();
}

TEST_F(TierJobsTest, GcThatTheManifestDoesNotTakeIsAnError) {
  PmemTierOptions options;
  options.spill = false;
  Start(kPool, options);
  for (int round = 0; round < 4; round++) {
    // Some of the first values in each extent stay live.
    for (int i = 0; i < 600; i++) {
      if (round == 0 || i % 10 != 0) Put(KeyOf(i), std::string(1000, 'v'));
    }
    Switch();
    scheduler_->Raise();
    if (round < 3) env_.RunAll();
  }
  while (stats().merges.value() == 0) ASSERT_TRUE(env_.RunOne());
  env_.appends_fail = true;
  env_.RunAll();
  EXPECT_TRUE(BackgroundError().IsIOError());
  EXPECT_EQ(0u, stats().gc_jobs.value());
  ExpectModel();
}

TEST_F(TierJobsTest, ASpillThatCannotWriteLeavesTheGroupAsItIs) {
  PmemTierOptions options;
  options.spill_start = 0;
  options.spill_stop = 0;
  Start(kPool, options);
  PutMany(0, 100, 1000);
  Switch();
  scheduler_->Raise();
  ASSERT_TRUE(env_.RunOne());
  env_.new_files_fail = true;
  env_.RunAll();
  env_.new_files_fail = false;
  EXPECT_TRUE(BackgroundError().IsIOError());
  EXPECT_EQ(1u, NumTrees(0));
  EXPECT_EQ(0, NumTablesOnDisk());
  ExpectModel();
}

TEST_F(TierJobsTest, ADamagedValueIsNotSpilled) {
  PmemTierOptions options;
  options.spill_start = 0;
  options.spill_stop = 0;
  Start(kPool, options);
  PutMany(0, 100, 1000);
  char* const bytes = tier_->pool()->At(values_->current()) + 5000;
  bytes[0] = static_cast<char>(bytes[0] ^ 1);
  Flush();
  EXPECT_TRUE(BackgroundError().IsCorruption()) << BackgroundError().ToString();
  EXPECT_EQ(1u, NumTrees(0));
  EXPECT_EQ(0, NumTablesOnDisk());
}

// Data written to the page that replaces the lost one can even be read again.
TEST_F(TierJobsTest, AFlushThatMeetsALostPageKeepsTheLog) {
  guard_faults_ = true;
  Start(kPool);
  PutMany(0, 2000, 20);  // the pool has nothing of it yet
  Switch();
  uint64_t log_number;
  {
    MutexLock lock(&state_->mutex);
    log_number = state_->versions->LogNumber();
  }
  PoolOffset first;  // where the truncated file will end
  constexpr size_t kExtents = 32;
  ASSERT_TRUE(tier_->extents()->Reserve(kExtents, &first).ok());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path())) {
    if (entry.path().extension() == ".pmem") std::filesystem::resize_file(entry, 1 << 20);
  }
  FlushJob job(scheduler_->context(), FlushTarget::kTree);
  EXPECT_EQ(JobOutcome::kDone, job.Run());
  EXPECT_TRUE(tier_->pool()->Lost());
  EXPECT_TRUE(job.status().IsCorruption()) << job.status().ToString();
  EXPECT_TRUE(BackgroundError().IsCorruption());
  EXPECT_TRUE(group().empty());
  EXPECT_TRUE(state_->pressure.flush_pending);
  {
    MutexLock lock(&state_->mutex);
    EXPECT_EQ(log_number, state_->versions->LogNumber());
  }
  tier_->extents()->Release(first);
}

TEST_F(TierJobsTest, JobsStopWhenTheDatabaseCloses) {
  Start(kPool);
  for (int round = 0; round < 3; round++) {
    PutMany(0, 2000, 100);
    Flush();
  }
  PutMany(0, 2000, 100);
  Switch();
  scheduler_->Raise();
  ASSERT_TRUE(env_.RunOne());  // the flush; a merge is due
  ASSERT_EQ(4u, NumTrees(0));
  Close();
  EXPECT_EQ(4u, NumTrees(0));
  EXPECT_TRUE(BackgroundError().ok());
}

}  // namespace
}  // namespace leveldb
