#include <gtest/gtest.h>

#include <memory>

#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/pmem.h"
#include "pmem/media/pool.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Says;

class PoolListTest : public ::testing::Test {
 protected:
  PoolListTest() { EXPECT_OK(Env::Default()->CreateDir(dir_ / "pools")); }

  // Creates a database directory that has a pool. Returns the pool's path.
  std::string MakeDatabase(const std::string& name) {
    const std::string database = CanonicalPath(dir_ / name);
    EXPECT_OK(Env::Default()->CreateDir(database));
    const PoolId id = PoolId::Random();
    PoolOptions options;
    options.path = dir_ / "pools";
    options.size = 16 << 20;
    std::unique_ptr<Pool> pool;
    EXPECT_OK(Pool::Create(options, database, id, &pool));
    PmemFile file;
    file.pool = pool->path();
    file.id = id.Text();
    file.state = PmemFile::kUsed;
    EXPECT_OK(WritePmemFile(Env::Default(), database, file));
    return pool->path();
  }

  std::vector<PmemPoolInfo> Describe(const std::string& name) {
    std::vector<PmemPoolInfo> pools;
    EXPECT_OK(DescribePools(dir_ / name, &pools));
    return pools;
  }

  const testkit::TempDir dir_;
};

TEST_F(PoolListTest, PoolsAreFoundThroughDirectoryPoolAndDatabase) {
  EXPECT_TRUE(Describe("pools").empty());
  const std::string path = MakeDatabase("db");
  MakeDatabase("other");
  EXPECT_EQ(2u, Describe("pools").size());
  const std::vector<PmemPoolInfo> by_database = Describe("db");
  ASSERT_EQ(1u, by_database.size());
  const PmemPoolInfo& info = by_database[0];
  EXPECT_EQ(path, info.path);
  EXPECT_EQ(32u, info.id.size());
  EXPECT_EQ(CanonicalPath(dir_ / "db"), info.database);
  EXPECT_NE("", info.device);
  EXPECT_EQ("", info.problem);
  EXPECT_GE(info.size, uint64_t{8} << 20);
  EXPECT_EQ(uint64_t{16} << 20, info.ceiling);
  EXPECT_GE(info.extent_size, uint64_t{64} << 10);
  EXPECT_FALSE(info.is_orphan || info.is_set_aside);
  std::vector<PmemPoolInfo> by_pool;
  ASSERT_OK(DescribePools(path, &by_pool));
  ASSERT_EQ(1u, by_pool.size());
  EXPECT_EQ(info.id, by_pool[0].id);
}

TEST_F(PoolListTest, ADatabaseThatIsGoneOrHasAnotherPoolLeavesAnOrphan) {
  MakeDatabase("db");
  testkit::RemoveDir(dir_ / "db");
  ASSERT_EQ(1u, Describe("pools").size());
  EXPECT_TRUE(Describe("pools")[0].is_orphan);
  EXPECT_EQ(CanonicalPath(dir_ / "db") + " is not there any more",
            Describe("pools")[0].orphan_because);
  ASSERT_OK(Env::Default()->CreateDir(dir_ / "db"));
  EXPECT_NE(std::string::npos, Describe("pools")[0].orphan_because.find("has no pool any more"));
  PmemFile file;
  file.pool = "/elsewhere";
  file.id = PoolId::Random().Text();
  ASSERT_OK(WritePmemFile(Env::Default(), dir_ / "db", file));
  EXPECT_NE(std::string::npos, Describe("pools")[0].orphan_because.find("has another pool now"));
  ASSERT_OK(RemoveOrphanPool(Describe("pools")[0]));
  EXPECT_TRUE(Describe("pools").empty());
}

TEST_F(PoolListTest, OnlyOrphansAreRemoved) {
  const std::string path = MakeDatabase("db");
  PmemPoolInfo info = Describe("pools")[0];
  EXPECT_TRUE(Says(RemoveOrphanPool(info), "is not known to be without a database"));
  info.is_orphan = true;  // as it was when it was described
  EXPECT_TRUE(Says(RemoveOrphanPool(info), "has a database again"));
  EXPECT_EQ(1u, Describe("pools").size());
  ASSERT_OK(SetPoolAside(path));
  info = Describe("pools")[0];
  EXPECT_TRUE(info.is_set_aside);
  EXPECT_FALSE(info.is_orphan);
  ASSERT_OK(RemoveOrphanPool(info));
  EXPECT_TRUE(Describe("pools").empty());
}

TEST_F(PoolListTest, AMovedDatabaseIsNoOrphan) {
  const std::string path = MakeDatabase("db");
  ASSERT_OK(Env::Default()->RenameFile(dir_ / "db", dir_ / "moved"));
  EXPECT_TRUE(Describe("pools")[0].is_orphan);
  ASSERT_OK(NoteOwner(path, CanonicalPath(dir_ / "moved")));
  EXPECT_FALSE(Describe("pools")[0].is_orphan);
  EXPECT_EQ(CanonicalPath(dir_ / "moved"), Describe("pools")[0].database);
}

TEST_F(PoolListTest, WhatIsNoPoolIsSaidToBeNone) {
  std::vector<PmemPoolInfo> pools;
  EXPECT_FALSE(DescribePools(dir_ / "nothing", &pools).ok());
  testkit::WriteFile(dir_ / "file", std::string(10000, 'x'));
  EXPECT_FALSE(DescribePools(dir_ / "file", &pools).ok());
  testkit::WriteFile(dir_ / "blank", std::string(10000, '\0'));
  EXPECT_TRUE(Describe("blank").empty());  // it may become a pool
  const std::string path = MakeDatabase("db");
  ASSERT_OK(RemovePool(path));
  ASSERT_EQ(1u, Describe("db").size());  // where it should be, and the problem
  EXPECT_EQ(path, Describe("db")[0].path);
  EXPECT_NE("", Describe("db")[0].problem);
}

TEST_F(PoolListTest, TheDeviceIsDescribedWithAPoolAndWithout) {
  const std::string pool = MakeDatabase("db");
  testkit::WriteFile(dir_ / "blank", "");
  PmemDeviceInfo of_directory;
  ASSERT_OK(DescribePmemDevice(dir_ / "pools", &of_directory));
  EXPECT_NE("", of_directory.file_system);
  EXPECT_EQ(CanonicalPath(dir_ / "pools"), of_directory.path);
  PmemDeviceInfo info;
  for (const std::string& path : {pool, dir_ / "db", dir_ / "blank"}) {
    ASSERT_OK(DescribePmemDevice(path, &info));
    EXPECT_EQ(of_directory.file_system, info.file_system) << path;
    EXPECT_EQ(path == dir_ / "blank" ? CanonicalPath(path) : pool, info.path);
    EXPECT_EQ(0u, info.bad_blocks);
  }
  EXPECT_FALSE(DescribePmemDevice(dir_ / "nothing", &info).ok());
  // The path of the pool is known even if the pool is missing.
  ASSERT_OK(RemovePool(pool));
  ASSERT_OK(DescribePmemDevice(dir_ / "db", &info));
  EXPECT_EQ(of_directory.file_system, info.file_system);
  // It is an error if its file system is not mounted.
  testkit::RemoveDir(dir_ / "pools");
  const Status status = DescribePmemDevice(dir_ / "db", &info);
  EXPECT_TRUE(status.IsNotFound());
  for (const std::string& word : {CanonicalPath(dir_ / "db"), pool, std::string("mount")}) {
    EXPECT_NE(std::string::npos, status.ToString().find(word)) << status.ToString();
  }
}

TEST_F(PoolListTest, TheMediumIsWhatThePoolIsOpenedWith) {
  const std::string pool = MakeDatabase("db");
  PmemDeviceInfo info;
  ASSERT_OK(DescribePmemDevice(pool, &info));
  if (info.dax) GTEST_SKIP() << "this is persistent memory";
  EXPECT_EQ("msync", info.medium);
  PmemFile file;
  ASSERT_OK(ReadPmemFile(Env::Default(), dir_ / "db", &file));
  file.assume_pmem = true;
  ASSERT_OK(WritePmemFile(Env::Default(), dir_ / "db", file));
  for (const std::string& path : {pool, dir_ / "db"}) {
    ASSERT_OK(DescribePmemDevice(path, &info));
    EXPECT_EQ("emulated", info.medium) << path;
  }
}

}  // namespace
}  // namespace leveldb
