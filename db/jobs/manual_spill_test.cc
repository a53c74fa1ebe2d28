// Tests CompactRange after the merges of the group: trees that lie over tables are merged with
// these.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "db/jobs/tier_jobs_test.h"

namespace leveldb {

namespace {

constexpr uint64_t kPoolBytes = 64 << 20;

class ManualSpillTest : public TierFixture {
 protected:
  // Leaves keys below 100 in tables, as remain from a time without a tier.
  void MakeTables() {
    state_->SetTier(nullptr);
    PutMany(0, 100, 100);
    Flush();
    state_->SetTier(tier_.get());
  }

  // Starts with tables and one merged tree that lies over all of them.
  void BeginOverTables() {
    Start(kPoolBytes);
    MakeTables();
    PutMany(0, 100, 20);
    Flush();
    WithBackground([this] { scheduler_->CompactGroup(nullptr, nullptr); });
    ASSERT_EQ(1u, NumTrees(1));
  }

  void CompactRange(const Slice* begin = nullptr, const Slice* end = nullptr) {
    WithBackground([&] {
      scheduler_->CompactGroup(begin, end);
      scheduler_->SpillOntoTables(begin, end);
    });
  }

  // Expects that the one tree is still there.
  void ExpectItStays() {
    EXPECT_EQ(1u, NumTrees(1));
    EXPECT_EQ(0u, stats().spills.value());
    ExpectModel();
  }

  // Runs background work until `call` has returned.
  void WithBackground(const std::function<void()>& call) {
    std::atomic<bool> done{false};
    std::thread caller([&] {
      call();
      done = true;
    });
    while (!done) env_.RunAll();
    caller.join();
    env_.RunAll();
  }
};

TEST_F(ManualSpillTest, WhatIsOverwrittenAndDeletedInTablesGoes) {
  Start(kPoolBytes);
  MakeTables();
  PutMany(0, 50, 100);
  for (int i = 50; i < 100; i++) Delete(KeyOf(i));
  Flush();
  ASSERT_EQ(1u, NumTrees(0));
  CompactRange();
  EXPECT_TRUE(group().empty());
  EXPECT_EQ(1u, stats().spills.value());
  ASSERT_EQ(1, version()->num_files(2)) << version()->DebugString();
  EXPECT_EQ(KeyOf(49), version()->files(2)[0]->largest.user_key().ToString());
  ExpectModel();
}

TEST_F(ManualSpillTest, WhatLiesOverNoTableStays) {
  Start(kPoolBytes);
  MakeTables();
  PutMany(1000, 100, 20);
  Flush();
  CompactRange();
  ExpectItStays();
}

// The tree has keys in the range as well, but no table overlaps there.
TEST_F(ManualSpillTest, WhatIsOutsideOfTheRangeStays) {
  Start(kPoolBytes);
  MakeTables();
  PutMany(0, 50, 20);
  Put(KeyOf(500), "in the range");
  Flush();
  const std::string behind_tables = KeyOf(400);
  const Slice begin(behind_tables);
  CompactRange(&begin, nullptr);
  ExpectItStays();
}

TEST_F(ManualSpillTest, WhatIsTooLargeForOneStepTakesSeveral) {
  Start(kPoolBytes);
  MakeTables();
  for (int first = 0; first < 100; first += 25) {
    PutMany(first, 20, 200000);
    Flush();
  }
  ASSERT_EQ(0u, stats().spills.value());
  CompactRange();
  EXPECT_TRUE(group().empty());
  EXPECT_GE(stats().spills.value(), 2u);
  ExpectModel();
}

TEST_F(ManualSpillTest, TwoAtOnceBothEnd) {
  ASSERT_NO_FATAL_FAILURE(BeginOverTables());
  std::thread another([this] { scheduler_->SpillOntoTables(nullptr, nullptr); });
  env_.AwaitCall();
  WithBackground([this] { scheduler_->SpillOntoTables(nullptr, nullptr); });
  another.join();
  EXPECT_TRUE(group().empty());
  EXPECT_EQ(1u, stats().spills.value());
  ExpectModel();
}

TEST_F(ManualSpillTest, ADrainTakesItsWorkOver) {
  ASSERT_NO_FATAL_FAILURE(BeginOverTables());
  std::thread spill([this] { scheduler_->SpillOntoTables(nullptr, nullptr); });
  env_.AwaitCall();
  WithBackground([this] { EXPECT_TRUE(scheduler_->DrainTier().ok()); });
  spill.join();
  EXPECT_TRUE(group().empty());
  ExpectModel();
}

TEST_F(ManualSpillTest, ACloseEndsIt) {
  ASSERT_NO_FATAL_FAILURE(BeginOverTables());
  std::thread spill([this] { scheduler_->SpillOntoTables(nullptr, nullptr); });
  env_.AwaitCall();
  std::thread closing([this] { scheduler_->Close(); });
  while (!state_->closing) std::this_thread::yield();
  env_.RunAll();
  closing.join();
  spill.join();
  EXPECT_EQ(0u, stats().spills.value());
  ExpectModel();
}

TEST_F(ManualSpillTest, WhereNothingIsEverSpilledTreesStay) {
  PmemTierOptions options;
  options.spill = false;
  Start(kPoolBytes, options);
  MakeTables();
  for (int i = 0; i < 100; i++) Delete(KeyOf(i));
  Flush();
  CompactRange();
  ExpectItStays();
}

}  // namespace

}  // namespace leveldb
