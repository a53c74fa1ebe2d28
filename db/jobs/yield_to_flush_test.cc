// Tests when jobs in the pool yield a processor to a flush that writers wait for, when they do not,
// and what ends the wait.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "db/jobs/tier_jobs_test.h"
#include "db/version/level_limits.h"

namespace leveldb {
namespace {

// Runs a flush that is blocked until a test releases it, concurrently with a merge.
class YieldToFlushTest : public TierFixture {
 protected:
  void Begin(bool cores_are_few, const PmemTierOptions& options = PmemTierOptions()) {
    cores_are_few_ = cores_are_few;
    Start(32 << 20, options);
    env_.at_a_look_at_the_clock = [this] {
      if (std::this_thread::get_id() == merger_.load()) merge_runs_ = true;
      if (std::this_thread::get_id() != flusher_.load()) return;
      flush_runs_ = true;
      while (!flush_may_go_on_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
  }

  void SwitchFullMemtable() {
    PutMany(0, 400, 200);
    Switch();
    scheduler_->Raise();
  }

  // Makes trees of level 0; other work stays queued.
  void FlushMany(int trees) {
    for (int i = 0; i < trees; i++) {
      SwitchFullMemtable();
      ASSERT_TRUE(env_.RunOne());
    }
    ASSERT_EQ(static_cast<size_t>(trees), NumTrees(0));
    kept_version_.reset();
  }

  void StartFlush() {
    SwitchFullMemtable();
    flush_ = std::thread([this] {
      flusher_ = std::this_thread::get_id();
      env_.RunOne();
    });
    while (!flush_runs_) std::this_thread::yield();
  }

  void StartMerge() {
    merge_ = std::thread([this] {
      merger_ = std::this_thread::get_id();
      env_.RunAll();
    });
    while (!merge_runs_) std::this_thread::yield();
  }

  // Starts a merge of `trees` trees of level 0, concurrently with a flush.
  void StartBoth(int trees, bool is_awaited) {
    FlushMany(trees);
    StartFlush();
    state_->pressure.flush_is_awaited = is_awaited;
    StartMerge();
  }

  void ExpectMergeGoesOn() {
    merge_.join();
    EXPECT_GE(Merges(), 1u);
    EndFlush();
  }

  void EndFlush() {
    flush_may_go_on_ = true;
    flush_.join();
  }

  uint64_t Merges() { return stats().merges.value(); }

  std::atomic<std::thread::id> flusher_{};
  std::atomic<std::thread::id> merger_{};
  std::atomic<bool> flush_runs_{false};
  std::atomic<bool> merge_runs_{false};
  std::atomic<bool> flush_may_go_on_{false};
  std::thread flush_;
  std::thread merge_;
};

TEST_F(YieldToFlushTest, AMergeWaitsForAFlushThatWritersWaitFor) {
  Begin(/*cores_are_few=*/true);
  StartBoth(kLevel0CompactionTrigger, /*is_awaited=*/true);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(0u, Merges());
  EndFlush();
  merge_.join();
  env_.RunAll();
  EXPECT_GE(Merges(), 1u);
  ExpectModel();
}

TEST_F(YieldToFlushTest, AMergeGoesOnIfNoWriterWaits) {
  Begin(/*cores_are_few=*/true);
  StartBoth(kLevel0CompactionTrigger, /*is_awaited=*/false);
  ExpectMergeGoesOn();
}

TEST_F(YieldToFlushTest, AMergeGoesOnIfThereAreProcessorsForBoth) {
  Begin(/*cores_are_few=*/false);
  StartBoth(kLevel0CompactionTrigger, /*is_awaited=*/true);
  ExpectMergeGoesOn();
}

TEST_F(YieldToFlushTest, AMergeGoesOnIfLevel0FillsUpAsWell) {
  Begin(/*cores_are_few=*/true);
  StartBoth(kLevel0SlowdownDepth, /*is_awaited=*/true);
  ExpectMergeGoesOn();
}

TEST_F(YieldToFlushTest, AMergeGoesOnIfThePoolFillsUpAsWell) {
  PmemTierOptions options;
  options.spill = false;
  options.spill_stop = 0;
  Begin(/*cores_are_few=*/true, options);
  StartBoth(kLevel0CompactionTrigger, /*is_awaited=*/true);
  ExpectMergeGoesOn();
}

// A writer can move the flush's thread to its processor as long as the flush has not ended.
TEST_F(YieldToFlushTest, TheThreadOfAFlushIsTheOneThatIsAwaited) {
  Begin(/*cores_are_few=*/true);
  StartFlush();
  while (!state_->flush_thread.MoveHere()) std::this_thread::yield();
  EndFlush();
  EXPECT_FALSE(state_->flush_thread.MoveHere());
}

TEST_F(YieldToFlushTest, ClosingEndsTheWait) {
  Begin(/*cores_are_few=*/true);
  StartBoth(kLevel0CompactionTrigger, /*is_awaited=*/true);
  std::thread closing([this] { scheduler_->Close(); });
  merge_.join();
  EndFlush();
  env_.RunAll();
  closing.join();
  EXPECT_EQ(0u, Merges());
}

}  // namespace
}  // namespace leveldb
