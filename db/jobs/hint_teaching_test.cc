// Tests which jobs teach the hints that tell reads where values are.

#include <gtest/gtest.h>

#include "db/jobs/tier_jobs_test.h"
#include "entry/value_ref.h"
#include "pmem/group/group_lookup.h"
#include "util/hash64.h"

namespace leveldb {
namespace {

class HintTeachingTest : public TierFixture {
 protected:
  static constexpr int kKeys = 600;

  PoolOffset HintOf(int i) const { return tier_->value_hints().Find(HashKey64(KeyOf(i))); }

  void ExpectNoHints() const {
    for (int i = 0; i < kKeys; i++) EXPECT_EQ(kNoPoolOffset, HintOf(i)) << i;
  }

  // Returns how many of the keys' values are where their hints pointed before the first lookup.
  int KnownValues() {
    int known = 0;
    for (int i = 0; i < kKeys; i++) {
      const PoolOffset hinted = HintOf(i);
      const LookupKey key(KeyOf(i), kMaxSequenceNumber);
      TreeHit hit;
      EXPECT_TRUE(GroupLookup(group(), key).Run(/*verify_checksums=*/true, &hit).ok());
      EXPECT_TRUE(hit.found && hit.type == kTypeValueRef) << i;
      if (hit.found) known += ValueRefOffsetWord(hit.value) == hinted ? 1 : 0;
    }
    return known;
  }
};

TEST_F(HintTeachingTest, MergesTeachAndFlushesDoNot) {
  Start(32 << 20);
  for (size_t round = 1; round <= 3; round++) {
    PutMany(0, kKeys, 1000);
    Flush();
    ASSERT_EQ(round, NumTrees(0));
    ExpectNoHints();
  }
  PutMany(0, kKeys, 1000);
  Flush();
  ASSERT_EQ(1u, NumTrees(1));
  EXPECT_EQ(kKeys, KnownValues());
}

TEST_F(HintTeachingTest, FlushesTeachWhereReadsLookIntoSeveralRuns) {
  Start(32 << 20);
  PutMany(0, kKeys, 1000);
  Flush();
  state_->runs_are_read = true;
  PutMany(0, kKeys, 1000);
  Flush();
  EXPECT_EQ(2u, NumTrees(0));
  EXPECT_EQ(kKeys, KnownValues());

  // There was no read since then, but there were reads before.
  EXPECT_FALSE(state_->runs_are_read);
  PutMany(0, kKeys, 1000);
  Flush();
  EXPECT_EQ(3u, NumTrees(0));
  EXPECT_EQ(kKeys, KnownValues());
}

TEST_F(HintTeachingTest, FlushesTeachNoMoreWhenReadsHaveEnded) {
  Start(32 << 20);
  state_->runs_are_read = true;
  for (int round = 0; round < 2; round++) {
    PutMany(10 * kKeys, 10, 1000);
    Flush();
  }
  PutMany(0, kKeys, 1000);
  Flush();
  ASSERT_EQ(3u, NumTrees(0));
  ExpectNoHints();
}

TEST_F(HintTeachingTest, GcTeachesWhereItMovesValues) {
  Start(32 << 20);
  MakeGarbage(kKeys);
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_GT(stats().gc_jobs.value(), 0u);
  EXPECT_EQ(kKeys, KnownValues());
}

}  // namespace
}  // namespace leveldb
