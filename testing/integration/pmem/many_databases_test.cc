// Several databases with pools in one process and one directory of pools: each uses only its own,
// in whatever order they are closed, destroyed or drained.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr size_t kDatabases = 6;

struct One {
  std::string path;
  std::unique_ptr<PmemDB> db;
  History history;
  bool plain = false;
};

class ManyDatabases : public ::testing::Test {
 protected:
  ManyDatabases() : dice_(AnnouncedSeed()) {}

  void Open(One* one) {
    one->db.reset();
    PmemDB* opened = nullptr;
    store_.pmem.require = !one->plain;
    ASSERT_OK(PmemOpen(store_.options, store_.pmem, one->path, &opened)) << one->path;
    one->db.reset(opened);
  }

  void Check(const One& one) {
    uint64_t count = 0;
    ASSERT_OK(one.history.Check(one.db.get(), &count)) << one.path;
    ASSERT_EQ(count, one.history.size()) << one.path;
  }

  size_t Pools() {
    std::vector<PmemPoolInfo> pools;
    EXPECT_OK(DescribePools(store_.pools(), &pools));
    return pools.size();
  }

  Dice dice_;
  TierStore store_{kTinyPool};  // provides options and directories
};

TEST_F(ManyDatabases, KeepToTheirOwnPools) {
  std::vector<One> all;
  for (size_t i = 0; i < kDatabases; ++i) {
    all.push_back(
        One{store_.dir() / ("db" + std::to_string(i)), nullptr, History(dice_.Next(), 3000)});
    Open(&all.back());
  }
  EXPECT_EQ(Pools(), kDatabases);
  for (int step = 0; step < Scaled(4000); ++step) {
    One& one = all[dice_.Below(kDatabases)];
    one.history.Extend();
    WriteBatch batch = one.history.Batch(one.history.size());
    ASSERT_OK(one.db->Write(WriteOptions(), &batch));
    if (dice_.OneIn(300)) {
      Open(&one);
    } else if (dice_.OneIn(400)) {
      one.db->CompactRange(nullptr, nullptr);
    }
    ASSERT_FALSE(HasFailure());
  }
  // One database leaves its tier while the others work.
  ASSERT_OK(all[0].db->Drain());
  all[0].plain = true;
  for (One& one : all) {
    Check(one);
    Open(&one);
    Check(one);
  }
  EXPECT_EQ(Pools(), kDatabases - 1);
  // Destroying one removes its pool and no other.
  all[1].db.reset();
  ASSERT_OK(DestroyDB(all[1].path, store_.options));
  EXPECT_EQ(Pools(), kDatabases - 2);
  for (size_t i = 2; i < kDatabases; ++i) {
    Check(all[i]);
    all[i].db.reset();
    std::string report;
    EXPECT_OK(CheckDB(all[i].path, store_.options, store_.pmem, &report)) << report;
    ASSERT_OK(DestroyDB(all[i].path, store_.options));
  }
  EXPECT_EQ(store_.PoolNames(), "");
}

TEST_F(ManyDatabases, AreMadeAndDestroyedInTurns) {
  store_.options.error_if_exists = true;
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(store_.Open());
    std::string value;
    ASSERT_TRUE(store_.db()->Get(ReadOptions(), "key", &value).IsNotFound());
    ASSERT_OK(store_.db()->Put(WriteOptions(), "key", std::string(1000, 'v')));
    ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
    store_.Close();
    ASSERT_OK(DestroyDB(store_.path(), Options()));
    ASSERT_EQ(store_.PoolNames(), "");
  }
}

TEST_F(ManyDatabases, DoNotMindTheOrderInWhichTheyAreClosed) {
  // Each session maps the pools in another order, and so at other addresses.
  std::vector<One> all;
  for (size_t i = 0; i < kDatabases; ++i) {
    all.push_back(
        One{store_.dir() / ("db" + std::to_string(i)), nullptr, History(dice_.Next(), 3000)});
  }
  for (int session = 0; session < 6; ++session) {
    std::vector<size_t> order;
    for (size_t i = 0; i < kDatabases; ++i) {
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(dice_.Below(i + 1)), i);
    }
    for (const size_t i : order) {
      Open(&all[i]);
      Check(all[i]);
      for (int write = 0; write < 60; ++write) {
        all[i].history.Extend();
        WriteBatch batch = all[i].history.Batch(all[i].history.size());
        ASSERT_OK(all[i].db->Write(WriteOptions(), &batch));
      }
    }
    for (const size_t i : order) {
      if (dice_.OneIn(2)) {
        all[i].db.reset();
      }
    }
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
