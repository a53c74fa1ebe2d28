// Trees as jobs make them.

#include "db/jobs/tree_output.h"

#include <gtest/gtest.h>

#include "db/jobs/tier_jobs_test.h"

namespace leveldb {
namespace {

class TreeOutputTest : public TierFixture {};

TEST_F(TreeOutputTest, TreesTakeNothingThatIsOutOfOrderAlsoWhereOneIsToEnd) {
  Start(32 << 20);
  TreeLimits limits;
  limits.user_bytes = 1;  // each key is to have a tree of its own
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

}  // namespace
}  // namespace leveldb
