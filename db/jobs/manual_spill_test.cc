// CompactRange, once the group is merged: what lies over tables meets them.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "db/jobs/tier_jobs_test.h"

namespace leveldb {

namespace {

constexpr uint64_t kPoolBytes = 64 << 20;

class ManualSpillTest : public TierFixture {
 protected:
  // Leaves keys below 100 in tables, as a past without a tier would.
  void MakeTables() {
    state_->SetTier(nullptr);
    PutMany(0, 100, 100);
    Flush();
    state_->SetTier(tier_.get());
  }

  void CompactRange(const Slice* begin, const Slice* end) {
    std::atomic<bool> done{false};
    std::thread caller([&] {
      scheduler_->CompactGroup(begin, end);
      scheduler_->SpillOntoTables(begin, end);
      done = true;
    });
    while (!done) env_.RunAll();
    caller.join();
  }
};

TEST_F(ManualSpillTest, WhatIsOverwrittenAndDeletedInTablesGoes) {
  Start(kPoolBytes);
  MakeTables();
  PutMany(0, 50, 100);
  for (int i = 50; i < 100; i++) Delete(KeyOf(i));
  Flush();
  ASSERT_EQ(1u, NumTrees(0));
  CompactRange(nullptr, nullptr);
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
  CompactRange(nullptr, nullptr);
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(0u, stats().spills.value());
  ExpectModel();
}

TEST_F(ManualSpillTest, WhatIsOutsideOfTheRangeStays) {
  Start(kPoolBytes);
  MakeTables();
  PutMany(0, 50, 20);
  Flush();
  const std::string behind = KeyOf(60);
  const Slice begin(behind);
  CompactRange(&begin, nullptr);
  EXPECT_EQ(1u, group().tree_count());
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
  CompactRange(nullptr, nullptr);
  EXPECT_EQ(1u, NumTrees(1));
  EXPECT_EQ(0u, stats().spills.value());
  ExpectModel();
}

}  // namespace

}  // namespace leveldb
