#include "db/open/used_sequences.h"

#include <gtest/gtest.h>

#include <set>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

TEST(UsedSequencesTest, BatchesKeepNumbersThatAreFree) {
  UsedSequences used(5);
  EXPECT_EQ(6u, used.Take(6, 2));
  EXPECT_EQ(20u, used.Take(20, 3));
  EXPECT_EQ(10u, used.Take(10, 10));
  EXPECT_EQ(8u, used.Take(8, 2));
}

TEST(UsedSequencesTest, RepeatedOnesGetTheNext) {
  UsedSequences used(5);
  EXPECT_EQ(6u, used.Take(5, 2));
  EXPECT_EQ(8u, used.Take(0, 1));
  EXPECT_EQ(20u, used.Take(20, 3));
  EXPECT_EQ(23u, used.Take(19, 2));
  EXPECT_EQ(25u, used.Take(22, 1));
  EXPECT_EQ(19u, used.Take(19, 1));
}

TEST(UsedSequencesTest, TheHighestIsTheEnd) {
  UsedSequences used;
  EXPECT_FALSE(used.Fit(kMaxSequenceNumber, 1));
  EXPECT_TRUE(used.Fit(kMaxSequenceNumber - 2, 2));
  EXPECT_EQ(kMaxSequenceNumber - 2, used.Take(kMaxSequenceNumber - 2, 2));
  EXPECT_FALSE(used.Fit(1, 3));
}

TEST(UsedSequencesTest, NoNumberIsTakenTwice) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  UsedSequences used(10);
  std::set<SequenceNumber> taken;
  for (int i = 0; i < testkit::Scaled(3000); i++) {
    const SequenceNumber wanted = dice.Below(5000);
    const uint32_t count = 1 + static_cast<uint32_t>(dice.Below(5));
    bool is_free = wanted > 10;
    for (uint32_t j = 0; j < count; j++) is_free = is_free && taken.count(wanted + j) == 0;
    const SequenceNumber first = used.Take(wanted, count);
    if (is_free) {
      ASSERT_EQ(wanted, first);
    } else {
      ASSERT_GT(first, taken.empty() ? 10 : *taken.rbegin());
    }
    for (uint32_t j = 0; j < count; j++) ASSERT_TRUE(taken.insert(first + j).second);
  }
}

}  // namespace
}  // namespace leveldb
