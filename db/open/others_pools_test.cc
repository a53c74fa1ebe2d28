// The file at the path in a PMEM file may belong to another database by now: then it is not
// changed, whatever operation was started with it.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace {

namespace fs = std::filesystem;
using testkit::ReadFile;
using testkit::TierStore;
using testkit::WriteFile;

class OthersPoolsTest : public ::testing::Test {
 protected:
  // Opens the store and adds a key to it.
  void Fill(TierStore* store) {
    ASSERT_OK(store->Open());
    ASSERT_OK(store->db()->Put(WriteOptions(), "key", std::string(1000, 'v')));
    store->Close();
  }

  void ExpectKey(const std::string& path) {
    PmemDB* opened = nullptr;
    ASSERT_OK(PmemOpen(store_.options, store_.pmem, path, &opened));
    const std::unique_ptr<PmemDB> db(opened);
    std::string value;
    EXPECT_OK(db->Get(ReadOptions(), "key", &value));
    EXPECT_EQ(std::string(1000, 'v'), value);
  }

  TierStore store_{testkit::kTinyPool};
};

TEST_F(OthersPoolsTest, WhatARepairHasSetAsideStaysWhenANewPoolIsMade) {
  Fill(&store_);
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  testkit::RemoveDir(store_.path());
  Fill(&store_);
  std::vector<PmemPoolInfo> pools;
  ASSERT_OK(DescribePools(store_.pools(), &pools));
  ASSERT_EQ(2u, pools.size());
  EXPECT_TRUE(pools[0].is_set_aside != pools[1].is_set_aside);
}

TEST_F(OthersPoolsTest, ADatabaseThatMadeRoomForANewOneKeepsItsPool) {
  Fill(&store_);
  fs::rename(store_.path(), store_.path() + ".old");
  ASSERT_OK(store_.Open());
  std::string value;
  EXPECT_TRUE(store_.db()->Get(ReadOptions(), "key", &value).IsNotFound());
  store_.Close();
  EXPECT_NE(std::string::npos, ReadFile(store_.path() + "/LOG").find("bushstore gc"));
  ExpectKey(store_.path() + ".old");
  ASSERT_OK(store_.Open());
}

TEST_F(OthersPoolsTest, WhatWasBegunWithAPoolIsNotEndedByACopyOfTheDirectory) {
  Fill(&store_);
  PmemFile file;
  ASSERT_OK(ReadPmemFile(Env::Default(), store_.path(), &file));
  for (const PmemFile::State state : {PmemFile::kNew, PmemFile::kLeaving, PmemFile::kAside}) {
    const std::string copy = store_.dir() / ("copy" + std::to_string(state));
    fs::create_directory(copy);
    file.state = state;
    ASSERT_OK(WritePmemFile(Env::Default(), copy, file));
    EXPECT_FALSE(PoolIsSurelyOurs(Env::Default(), copy, file));
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(store_.options, copy, &opened));
    delete opened;
    ExpectKey(store_.path());
  }
}

TEST_F(OthersPoolsTest, ARepairWithoutThePoolLeavesWhatIsInItsPlace) {
  TierStore other(testkit::kTinyPool);
  store_.pmem.path = other.pmem.path = store_.pools() + "/pool";
  Fill(&store_);
  fs::remove(store_.pmem.path);
  Fill(&other);
  std::string lost;
  ASSERT_OK(RepairDBWithoutPool(store_.path(), store_.options, &lost));
  EXPECT_FALSE(Env::Default()->FileExists(store_.path() + "/PMEM"));
  ExpectKey(other.path());
}

TEST_F(OthersPoolsTest, ADatabaseThatIsDestroyedLeavesWhatIsInThePlaceOfItsPool) {
  store_.pmem.path = store_.pools() + "/pool";
  Fill(&store_);
  WriteFile(store_.pmem.path, "precious");
  ASSERT_OK(DestroyDB(store_.path(), store_.options));
  EXPECT_FALSE(fs::exists(store_.path()));
  EXPECT_EQ("precious", ReadFile(store_.pmem.path));
}

}  // namespace
}  // namespace leveldb
