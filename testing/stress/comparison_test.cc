// Tests what a store may hold after operations some of which were in progress, failed, or were not
// synced.

#include "testing/stress/comparison.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint32_t kThreads = 2;
constexpr uint32_t kKeys = 3;  // of each thread: 0, 1, 2 and 3, 4, 5
constexpr uint32_t kSize = 20;

class ComparisonTest : public ::testing::Test {
 protected:
  ComparisonTest()
      : expected_(dir_ / "expected", kThreads, kKeys),
        keys_(1, kThreads * kKeys, KeyOrder::kBytewise) {}

  uint64_t Begin(uint32_t thread, const std::vector<KeyChange>& changes) {
    return expected_.Begin(thread, changes, 100);
  }

  uint64_t Do(uint32_t thread, const std::vector<KeyChange>& changes, bool ok = true) {
    const uint64_t number = Begin(thread, changes);
    expected_.End(thread, ok);
    return number;
  }

  // Returns the contents of a store: `numbers` has for each key the operation that wrote it, 0 for
  // nothing.
  Contents Holding(const std::vector<uint64_t>& numbers) const {
    Contents contents;
    for (uint32_t key = 0; key < numbers.size(); ++key) {
      if (numbers[key] != 0) {
        contents.emplace_back(keys_.Spell(key), MakeValue(key, numbers[key], kSize));
      }
    }
    return contents;
  }

  // Requires everything that has returned.
  Bounds All() const { return Bounds{expected_.Returned(), expected_.Begun()}; }
  // Requires nothing.
  Bounds Any() const { return Bounds{{}, expected_.Begun()}; }

  std::string Compared(const std::vector<uint64_t>& numbers, const Bounds& bounds) {
    return Compare(expected_, keys_, Holding(numbers), bounds, &found_);
  }

  const TempDir dir_;
  ExpectedState expected_;
  KeySpace keys_;
  std::vector<KeyState> found_;
};

TEST_F(ComparisonTest, TakesExactlyWhatHasReturned) {
  EXPECT_EQ(Compared({}, All()), "");
  Do(0, {{0, kSize}});
  EXPECT_EQ(Compared({1}, All()), "");
  EXPECT_NE(Compared({}, All()), "");
  Do(0, {{0, kSize}});
  EXPECT_EQ(Compared({2}, All()), "");
  EXPECT_NE(Compared({1}, All()), "");
  Do(0, {{0, kAbsent}});
  EXPECT_EQ(Compared({}, All()), "");
  EXPECT_NE(Compared({2}, All()), "");
}

TEST_F(ComparisonTest, RefusesWhatNobodyWrote) {
  Do(0, {{0, kSize}});
  EXPECT_NE(Compare(expected_, keys_, {{"stranger", "value"}}, All()), "");
  std::string value = MakeValue(0, 1, kSize);
  value.back() = static_cast<char>(value.back() + 1);
  EXPECT_NE(Compare(expected_, keys_, {{keys_.Spell(0), value}}, All()), "");
  // The right bytes, but a different size.
  EXPECT_NE(Compare(expected_, keys_, {{keys_.Spell(0), MakeValue(0, 1, kSize + 1)}}, All()), "");
}

TEST_F(ComparisonTest, TakesWhatWasUnderWayOrNot) {
  Do(0, {{0, kSize}});
  Begin(0, {{0, kSize}, {1, kSize}});
  EXPECT_EQ(Compared({1}, All()), "");
  EXPECT_EQ(Compared({2, 2}, All()), "");
  // A batch must be present as a whole.
  EXPECT_NE(Compared({1, 2}, All()), "");
  EXPECT_NE(Compared({2}, All()), "");
}

TEST_F(ComparisonTest, TakesWhatFailedOrNot) {
  Do(0, {{0, kSize}});
  Do(0, {{0, kSize}, {1, kSize}}, /*ok=*/false);
  Do(0, {{2, kSize}});
  EXPECT_EQ(Compared({1, 0, 3}, All()), "");
  EXPECT_EQ(Compared({2, 2, 3}, All()), "");
  EXPECT_NE(Compared({2, 0, 3}, All()), "");
  EXPECT_NE(Compared({1, 2, 3}, All()), "");
  EXPECT_NE(Compared({1, 0, 0}, All()), "");
}

TEST_F(ComparisonTest, WantsAPrefixOfWhatIsNotPromised) {
  Do(0, {{0, kSize}});
  Do(0, {{1, kSize}});
  Do(0, {{2, kSize}});
  EXPECT_EQ(Compared({}, Any()), "");
  EXPECT_EQ(Compared({1}, Any()), "");
  EXPECT_EQ(Compared({1, 2}, Any()), "");
  EXPECT_EQ(Compared({1, 2, 3}, Any()), "");
  EXPECT_NE(Compared({1, 0, 3}, Any()), "");
  EXPECT_NE(Compared({0, 2}, Any()), "");
  Bounds bounds = Any();
  bounds.low[0] = 2;
  EXPECT_NE(Compared({1}, bounds), "");
  EXPECT_EQ(Compared({1, 2}, bounds), "");
  // If files are written back in any order, any subset of what is not promised may be there.
  bounds.has_holes = true;
  bounds.low[0] = 1;
  EXPECT_EQ(Compared({1, 0, 3}, bounds), "");
  EXPECT_NE(Compared({0, 2, 3}, bounds), "");
}

TEST_F(ComparisonTest, WantsAPrefixAcrossThreads) {
  Do(0, {{0, kSize}});
  Do(1, {{3, kSize}});  // began when the first had returned
  EXPECT_EQ(Compared({1, 0, 0, 1}, Any()), "");
  EXPECT_EQ(Compared({1}, Any()), "");
  EXPECT_NE(Compared({0, 0, 0, 1}, Any()), "");
}

TEST_F(ComparisonTest, TellsDeletionsFromLosses) {
  Do(0, {{0, kSize}});
  Do(0, {{0, kAbsent}});
  Do(0, {{1, kSize}});
  EXPECT_EQ(Compared({0, 3}, Any()), "");
  EXPECT_NE(Compared({1, 3}, Any()), "");  // the deletion is missing, but what followed is there
  EXPECT_EQ(Compared({1}, Any()), "");
}

TEST_F(ComparisonTest, WhatWasFoundIsWhatCounts) {
  Do(0, {{0, kSize}});
  Do(0, {{0, kSize}});
  Do(1, {{3, kSize}});
  ASSERT_EQ(Compared({1}, Any()), "");
  expected_.Settle(found_);
  EXPECT_EQ(Compared({1}, All()), "");
  EXPECT_NE(Compared({2}, All()), "");
  EXPECT_NE(Compared({1, 0, 0, 1}, All()), "");
  // Numbers continue, so a lost operation is never taken for a new one.
  EXPECT_EQ(Do(0, {{0, kSize}}), 3u);
  EXPECT_EQ(Compared({3}, All()), "");
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
