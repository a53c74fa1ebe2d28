// A program removes the directory of a database itself, and the pool remains: it is listed as an
// orphan, can be removed, and does not prevent a new database at the same path.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class OrphanedPool : public ::testing::Test {
 protected:
  OrphanedPool() {
    EXPECT_OK(store_.Open());
    EXPECT_OK(store_.db()->Put(WriteOptions(), "key", std::string(1000, 'v')));
    store_.Close();
  }

  std::vector<PmemPoolInfo> Pools() {
    std::vector<PmemPoolInfo> pools;
    EXPECT_OK(DescribePools(store_.pools(), &pools));
    return pools;
  }

  TierStore store_{kTinyPool};
};

TEST_F(OrphanedPool, IsNoneAsLongAsItsDatabaseIsThere) {
  for (const bool open : {false, true}) {
    if (open) {
      ASSERT_OK(store_.Open());
    }
    const std::vector<PmemPoolInfo> pools = Pools();
    ASSERT_EQ(pools.size(), 1u);
    EXPECT_FALSE(pools[0].is_orphan) << pools[0].orphan_because;
    EXPECT_FALSE(pools[0].is_set_aside);
    EXPECT_EQ(pools[0].problem, "");
    EXPECT_EQ(pools[0].id.size(), 32u);
    EXPECT_EQ(pools[0].database, store_.path());
    EXPECT_EQ(pools[0].ceiling, kTinyPool);
    EXPECT_GT(pools[0].epoch, 0u);
    EXPECT_EQ(pools[0].was_closed, !open);
    EXPECT_FALSE(RemoveOrphanPool(pools[0]).ok());
    EXPECT_EQ(Pools().size(), 1u);
  }
  std::string value;
  ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
}

TEST_F(OrphanedPool, IsListedAndCanBeRemoved) {
  RemoveDir(store_.path());
  const std::vector<PmemPoolInfo> pools = Pools();
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_TRUE(pools[0].is_orphan);
  EXPECT_FALSE(pools[0].orphan_because.empty());
  ASSERT_OK(RemoveOrphanPool(pools[0]));
  EXPECT_EQ(store_.PoolNames(), "");
  // Removing it again succeeds.
  EXPECT_OK(RemoveOrphanPool(pools[0]));
}

TEST_F(OrphanedPool, IsNotRemovedOnceItHasADatabaseAgain) {
  store_.Keep("kept");
  RemoveDir(store_.path());
  const std::vector<PmemPoolInfo> pools = Pools();
  ASSERT_EQ(pools.size(), 1u);
  ASSERT_TRUE(pools[0].is_orphan);
  store_.BringBack("kept");
  EXPECT_FALSE(RemoveOrphanPool(pools[0]).ok());
  ASSERT_OK(store_.Open());
  std::string value;
  ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
}

TEST_F(OrphanedPool, DoesNotStandInTheWayOfANewDatabaseAtTheSamePlace) {
  for (size_t life = 1; life < 4; ++life) {
    RemoveDir(store_.path());
    ASSERT_OK(store_.Open());
    std::string value;
    EXPECT_TRUE(store_.db()->Get(ReadOptions(), "key", &value).IsNotFound());
    ASSERT_OK(store_.db()->Put(WriteOptions(), "key", std::string(1000, 'v')));
    EXPECT_EQ(Pools().size(), life + 1);
    store_.Close();
    // The directory might have been moved, so the previous pools stay until they are removed
    // explicitly.
    EXPECT_NE(ReadFile(store_.path() + "/LOG").find("bushstore gc"), std::string::npos);
  }
  for (const PmemPoolInfo& pool : Pools()) {
    if (pool.is_orphan) {
      ASSERT_OK(RemoveOrphanPool(pool));
    }
  }
  EXPECT_EQ(Pools().size(), 1u);
  ASSERT_OK(store_.Open());
}

TEST_F(OrphanedPool, OfAnotherPlaceIsLeftAlone) {
  PmemDB* other = nullptr;
  ASSERT_OK(PmemOpen(store_.options, store_.pmem, store_.dir() / "other", &other));
  delete other;
  EXPECT_EQ(Pools().size(), 2u);
  RemoveDir(store_.dir() / "other");
  ASSERT_OK(store_.Open());
  store_.Close();
  EXPECT_EQ(Pools().size(), 2u);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
