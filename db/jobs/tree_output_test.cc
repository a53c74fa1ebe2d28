// Tests the trees that jobs write.

#include "db/jobs/tree_output.h"

#include <gtest/gtest.h>

#include "db/jobs/tier_jobs_test.h"
#include "db/version/level_limits.h"

namespace leveldb {
namespace {

class TreeOutputTest : public TierFixture {};

TEST_F(TreeOutputTest, TreesTakeNothingThatIsOutOfOrderAlsoWhereOneIsToEnd) {
  Start(32 << 20);
  TreeLimits limits;
  limits.user_bytes = 1;  // each key gets a tree of its own
  TreeOutput output({state_.get(), table_cache_.get(), nullptr}, tier_.get(), limits,
                    /*teach_hints=*/true, /*yield=*/{});
  ASSERT_TRUE(output.Add(InternalKey("b", 7, kTypeValue).Encode(), "value").ok());
  ASSERT_TRUE(output.Add(InternalKey("c", 7, kTypeValue).Encode(), "value").ok());
  EXPECT_EQ(1u, output.trees());
  EXPECT_TRUE(output.Add(InternalKey("a", 7, kTypeValue).Encode(), "value").IsCorruption());
}

TEST_F(TreeOutputTest, TreesLetOthersInWhileTheyAreFinished) {
  Start(32 << 20);
  int calls = 0;
  TreeOutput output({state_.get(), table_cache_.get(), nullptr}, tier_.get(), TreeLimits(),
                    /*teach_hints=*/true, [&calls] { calls++; });
  ASSERT_TRUE(output.Add(InternalKey("b", 7, kTypeValue).Encode(), "value").ok());
  EXPECT_EQ(0, calls);
  ASSERT_TRUE(output.Finish().ok());
  EXPECT_EQ(1, calls);
}

// A merge of few entries calls `yield` for the first time when it finishes a tree.
TEST_F(TreeOutputTest, AMergeThatFinishesATreeRunsAQueuedFlush) {
  Start(32 << 20);
  for (int i = 0; i < kLevel0CompactionTrigger; i++) {
    PutMany(0, 10, 20);
    Switch();
    scheduler_->Raise();
    ASSERT_TRUE(env_.RunOne());
  }
  ASSERT_EQ(static_cast<size_t>(kLevel0CompactionTrigger), NumTrees(0));
  bool has_begun = false;
  env_.at_a_look_at_the_clock = [this, &has_begun] {  // when the merge begins
    if (has_begun) return;
    has_begun = true;
    PutMany(5, 10, 20);
    Switch();
    scheduler_->Raise();
  };
  while (stats().merges.value() == 0) ASSERT_TRUE(env_.RunOne());
  EXPECT_EQ(static_cast<uint64_t>(kLevel0CompactionTrigger) + 1, stats().flushes.value());
  EXPECT_FALSE(state_->pressure.flush_pending);
  ExpectModel();
}

}  // namespace
}  // namespace leveldb
