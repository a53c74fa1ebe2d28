#include "util/step_prefetch.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "leveldb/slice.h"

namespace leveldb {
namespace {

class StepPrefetchTest : public ::testing::Test {
 protected:
  static constexpr size_t kSize = 64 * 1024;

  const char* At(size_t offset) const { return bytes_.data() + offset; }
  // Returns how far after that offset, or before it, has been prefetched.
  ptrdiff_t PrefetchedAfter(size_t offset) const {
    return static_cast<ptrdiff_t>(prefetch_.prefetched() - reinterpret_cast<uintptr_t>(At(offset)));
  }
  ptrdiff_t PrefetchedBefore(size_t offset) const { return -PrefetchedAfter(offset); }

  const std::vector<char> bytes_ = std::vector<char>(kSize);
  StepPrefetch prefetch_;
};

constexpr ptrdiff_t kAhead = StepPrefetch::kAhead;
constexpr ptrdiff_t kEvery = StepPrefetch::kEvery;

TEST_F(StepPrefetchTest, PrefetchesNothingAtTheFirstStep) {
  prefetch_.OnNext(At(20000));
  EXPECT_EQ(0u, prefetch_.prefetched());
  prefetch_.Forget();
  prefetch_.OnPrev(At(20000));
  EXPECT_EQ(0u, prefetch_.prefetched());
}

TEST_F(StepPrefetchTest, HastensUntilItIsAheadAndStaysThere) {
  prefetch_.OnNext(At(0));
  prefetch_.OnNext(At(1000));
  EXPECT_EQ(2000, PrefetchedAfter(1000));
  prefetch_.OnNext(At(2000));
  EXPECT_EQ(3000, PrefetchedAfter(2000));
  for (size_t at = 3000; at < 6000; at += 1000) prefetch_.OnNext(At(at));
  for (size_t at = 6000; at < 50000; at += 1000) {
    prefetch_.OnNext(At(at));
    ASSERT_EQ(kAhead, PrefetchedAfter(at));
  }
}

TEST_F(StepPrefetchTest, GoesBackAlike) {
  prefetch_.OnPrev(At(60000));
  prefetch_.OnPrev(At(59000));
  EXPECT_EQ(2000, PrefetchedBefore(59000));
  for (size_t at = 58000; at > 54000; at -= 1000) prefetch_.OnPrev(At(at));
  for (size_t at = 54000; at > 10000; at -= 1000) {
    prefetch_.OnPrev(At(at));
    ASSERT_EQ(kAhead, PrefetchedBefore(at));
  }
}

TEST_F(StepPrefetchTest, SmallStepsPrefetchNowAndThen) {
  uintptr_t prefetched = 0;
  size_t times = 0;
  for (size_t at = 0; at < 40000; at += 20) {
    prefetch_.OnNext(At(at));
    if (prefetch_.prefetched() != prefetched) times++;
    prefetched = prefetch_.prefetched();
    if (at >= 10000) {
      ASSERT_GT(PrefetchedAfter(at), kAhead - kEvery - 20);
    }
  }
  EXPECT_LE(times, 40000 / StepPrefetch::kEvery);
}

TEST_F(StepPrefetchTest, PrefetchesAtOnceWhereItGoesOnElsewhere) {
  for (size_t at = 0; at < 10000; at += 1000) prefetch_.OnNext(At(at));
  prefetch_.OnNext(At(40000));
  EXPECT_EQ(kAhead, PrefetchedAfter(40000));
  prefetch_.OnNext(At(20000));
  EXPECT_EQ(kAhead, PrefetchedAfter(20000));
}

TEST_F(StepPrefetchTest, AWalkThatBeginsPrefetchesAnew) {
  for (size_t at = 0; at < 10000; at += 1000) prefetch_.OnNext(At(at));
  prefetch_.Forget();
  EXPECT_EQ(0u, prefetch_.prefetched());
  prefetch_.OnNext(At(10000));
  EXPECT_EQ(0u, prefetch_.prefetched());
  prefetch_.OnNext(At(10600));
  EXPECT_EQ(1200, PrefetchedAfter(10600));
}

TEST_F(StepPrefetchTest, BeginningsAreThoseOfEntriesSomeStepsFurtherOn) {
  EXPECT_EQ(At(15000), StepPrefetch::BeginningBehind(Slice(At(10000), 1000), 1000));
  const char* const before = StepPrefetch::BeginningBefore(Slice(At(10000), 1000));
  EXPECT_LT(before, At(6000));
  EXPECT_GE(before + StepPrefetch::kBeginning, At(6000 + 64));
}

// The first entry of a block holds its whole key.
TEST_F(StepPrefetchTest, OfTwoEntriesTheShorterTellsWhereBeginningsAre) {
  EXPECT_EQ(At(15000), StepPrefetch::BeginningBehind(Slice(At(10000), 1014), 1000));
  EXPECT_EQ(At(15000), StepPrefetch::BeginningBehind(Slice(At(10000), 1000), 1014));
}

TEST_F(StepPrefetchTest, WhereBeginningsWerePrefetchedAllIsPrefetchedAnew) {
  prefetch_.OnNextBeginning(Slice(At(10000), 1000));
  EXPECT_NE(0u, prefetch_.prefetched());
  prefetch_.OnNext(At(12000));
  EXPECT_EQ(2000, PrefetchedAfter(12000));
  prefetch_.OnPrevBeginning(Slice(At(10000), 1000));
  prefetch_.OnPrev(At(9000));
  EXPECT_EQ(2000, PrefetchedBefore(9000));
}

TEST_F(StepPrefetchTest, StepsBackAndForthPrefetchNothing) {
  prefetch_.OnNext(At(20000));
  for (int i = 0; i < 10; ++i) {
    prefetch_.OnPrev(At(19900));
    prefetch_.OnNext(At(20000));
  }
  EXPECT_EQ(0u, prefetch_.prefetched());
}

}  // namespace
}  // namespace leveldb
