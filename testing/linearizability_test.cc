// The checker accepts exactly the histories that some order explains.
#include "testing/linearizability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace testkit {
namespace {

TimedCall Write(uint64_t begin, uint64_t end, std::vector<Cell> cells) {
  return {true, std::move(cells), begin, end};
}
TimedCall Read(uint64_t begin, uint64_t end, std::vector<Cell> cells) {
  return {false, std::move(cells), begin, end};
}

TEST(Linearizability, OneAfterTheOther) {
  EXPECT_TRUE(IsLinearizable({}, 1));
  EXPECT_TRUE(IsLinearizable({Read(1, 2, {{0, 0}})}, 1));
  EXPECT_TRUE(IsLinearizable({Write(1, 2, {{0, 7}}), Read(3, 4, {{0, 7}})}, 1));
  EXPECT_FALSE(IsLinearizable({Write(1, 2, {{0, 7}}), Read(3, 4, {{0, 0}})}, 1)) << "stale";
  EXPECT_FALSE(IsLinearizable({Read(1, 2, {{0, 7}}), Write(3, 4, {{0, 7}})}, 1)) << "foreseen";
  EXPECT_FALSE(IsLinearizable({Read(1, 2, {{0, 9}})}, 1)) << "out of thin air";
  EXPECT_FALSE(
      IsLinearizable({Write(1, 2, {{0, 7}}), Write(3, 4, {{0, 0}}), Read(5, 6, {{0, 7}})}, 1))
      << "deleted and back";
}

TEST(Linearizability, ConcurrentCallsMayTakeEitherOrder) {
  const TimedCall write = Write(1, 10, {{0, 7}});
  EXPECT_TRUE(IsLinearizable({write, Read(2, 3, {{0, 0}})}, 1));
  EXPECT_TRUE(IsLinearizable({write, Read(2, 3, {{0, 7}})}, 1));
  EXPECT_TRUE(IsLinearizable({write, Read(2, 3, {{0, 0}}), Read(4, 5, {{0, 7}})}, 1));
  EXPECT_FALSE(IsLinearizable({write, Read(2, 3, {{0, 7}}), Read(4, 5, {{0, 0}})}, 1))
      << "what was seen once is not unseen";
}

TEST(Linearizability, SeveralCellsAreSeenAtOnce) {
  const std::vector<TimedCall> writes = {Write(1, 2, {{0, 1}, {1, 1}}),
                                         Write(3, 10, {{0, 2}, {1, 2}})};
  for (const auto& [first, second, holds] :
       {std::tuple{1, 1, true}, {2, 2, true}, {1, 2, false}, {2, 1, false}, {0, 0, false}}) {
    std::vector<TimedCall> history = writes;
    history.push_back(Read(4, 5, {{0, first}, {1, second}}));
    EXPECT_EQ(holds, IsLinearizable(history, 2)) << first << " " << second;
  }
  // Two readers that see two writes in different orders.
  EXPECT_FALSE(IsLinearizable({Write(1, 20, {{0, 1}}), Write(2, 21, {{1, 1}}),
                               Read(3, 4, {{0, 1}, {1, 0}}), Read(5, 6, {{0, 0}, {1, 1}})},
                              2));
}

// Calls made one after the other, then stretched to overlap, stay linearizable. One value that was
// never written makes the history wrong.
TEST(Linearizability, LongHistories) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(200); ++round) {
    constexpr int kKeys = 3;
    std::vector<int> state(kKeys, 0);
    std::vector<TimedCall> history;
    for (size_t i = 0; i < kCallsMax; ++i) {
      const int key = static_cast<int>(dice.Below(kKeys));
      const uint64_t at = 1000 * i + 10000;
      TimedCall call{dice.OneIn(2), {}, at - dice.Below(1500), at + 1 + dice.Below(1500)};
      if (call.is_write) state[static_cast<size_t>(key)] = static_cast<int>(i + 1);
      call.cells.push_back({key, state[static_cast<size_t>(key)]});
      history.push_back(call);
    }
    ASSERT_TRUE(IsLinearizable(history, kKeys)) << HistoryText(history);
    TimedCall& wrong = history[dice.Below(kCallsMax)];
    wrong.is_write = false;
    wrong.cells = {{static_cast<int>(dice.Below(kKeys)), 1000}};
    ASSERT_FALSE(IsLinearizable(history, kKeys)) << HistoryText(history);
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
