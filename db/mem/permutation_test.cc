#include "db/mem/permutation.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

std::vector<int> SlotsOf(uint64_t permutation) {
  std::vector<int> slots;
  for (int rank = 0; rank < CountOf(permutation); rank++) {
    slots.push_back(SlotOf(permutation, rank));
  }
  return slots;
}

TEST(Permutation, ShowsSlotsAtTheRankTheyWereGiven) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int round = 0; round < testkit::Scaled(200); round++) {
    uint64_t permutation = kEmptyPermutation;
    std::vector<int> expected;
    for (int slot = 0; slot < 15; slot++) {
      const int rank = static_cast<int>(dice.Below(static_cast<uint64_t>(slot) + 1));
      permutation = WithNextSlotAt(permutation, rank);
      expected.insert(expected.begin() + rank, slot);
      ASSERT_EQ(expected, SlotsOf(permutation));
    }
  }
}

TEST(Permutation, InOrderIsOneSlotBehindTheOther) {
  uint64_t permutation = kEmptyPermutation;
  EXPECT_EQ(permutation, PermutationInOrder(0));
  for (int count = 1; count <= 15; count++) {
    permutation = WithNextSlotAt(permutation, count - 1);
    EXPECT_EQ(permutation, PermutationInOrder(count));
  }
}

}  // namespace
}  // namespace leveldb
