// Programs that were never recompiled get the tier by environment variables: tests which databases
// do, which do not, and which messages appear where.

#include <gtest/gtest.h>

#include <stdlib.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

const char* const kVariables[] = {"LEVELDB_PMEM_PATH",    "LEVELDB_PMEM_SIZE",
                                  "LEVELDB_PMEM_ASSUME",  "LEVELDB_PMEM_CONVERT",
                                  "LEVELDB_PMEM_REQUIRE", "LEVELDB_PMEM_PREFAULT"};

class Environment : public ::testing::Test {
 protected:
  Environment() {
    Clear();
    Set("PATH", store_.pools());
    Set("SIZE", "8M");
    if (IsInMemory(store_.pools())) {
      Set("ASSUME", "1");
    }
  }
  ~Environment() override { Clear(); }

  static void Set(const std::string& name, const std::string& value) {
    ::setenv(("LEVELDB_PMEM_" + name).c_str(), value.c_str(), 1);
  }
  static void Clear() {
    for (const char* const name : kVariables) {
      ::unsetenv(name);
    }
  }

  bool HasTier() {
    std::string text;
    return store_.db()->GetProperty("leveldb.pmem", &text);
  }
  bool LogSays(const std::string& part) {
    return ReadFile(store_.path() + "/LOG").find(part) != std::string::npos;
  }
  std::vector<PmemPoolInfo> Pools() {
    std::vector<PmemPoolInfo> pools;
    EXPECT_OK(DescribePools(store_.pools(), &pools));
    return pools;
  }

  TierStore store_;
};

TEST_F(Environment, GivesAPoolToANewDatabase) {
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_TRUE(HasTier());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "value"));
  ASSERT_EQ(Pools().size(), 1u);
  EXPECT_EQ(Pools()[0].ceiling, 8u << 20);
  EXPECT_EQ(Pools()[0].database, store_.path());
  // From now on the file PMEM counts, whatever the environment says.
  Set("PATH", "/no/such/place");
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_TRUE(HasTier());
  Clear();
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_TRUE(HasTier());
  std::string value;
  ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
  EXPECT_EQ(Pools().size(), 1u);
}

TEST_F(Environment, LeavesAPlainDatabasePlainUnlessToldToConvert) {
  Clear();
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "plain"));
  store_.Close();
  Set("PATH", store_.pools());
  Set("SIZE", "8m");
  Set("ASSUME", IsInMemory(store_.pools()) ? "1" : "0");
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_FALSE(HasTier());
  EXPECT_TRUE(LogSays("CONVERT"));
  EXPECT_EQ(store_.PoolNames(), "");
  Set("CONVERT", "1");
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_TRUE(HasTier());
  std::string value;
  ASSERT_OK(store_.db()->Get(ReadOptions(), "key", &value));
  EXPECT_EQ(value, "plain");
}

TEST_F(Environment, ThatIsOfNoUseIsToldInLogOrRefused) {
  Set("PATH", "/no/such/place");
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_FALSE(HasTier());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "value"));
  EXPECT_TRUE(LogSays("/no/such/place"));
  store_.Close();
  ASSERT_OK(DestroyDB(store_.path(), store_.options));
  Set("REQUIRE", "1");
  const Status refused = store_.OpenPlainly();
  EXPECT_TRUE(Says(refused, "/no/such/place"));
  EXPECT_FALSE(Env::Default()->FileExists(store_.path() + "/CURRENT"));
}

TEST_F(Environment, ThatMakesNoSenseIsNamed) {
  for (const char* const size : {"many", "12Q", "-1", "99999999999999999999"}) {
    Set("SIZE", size);
    Set("REQUIRE", "0");
    ASSERT_OK(store_.OpenPlainly());
    EXPECT_FALSE(HasTier()) << size;
    EXPECT_TRUE(LogSays("LEVELDB_PMEM_SIZE")) << size;
    store_.Close();
    ASSERT_OK(DestroyDB(store_.path(), store_.options));
    Set("REQUIRE", "1");
    EXPECT_TRUE(Says(store_.OpenPlainly(), "LEVELDB_PMEM_SIZE")) << size;
  }
}

TEST_F(Environment, MeansNothingToDatabasesOfAnotherEnv) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  store_.options.env = env.get();
  Set("REQUIRE", "1");
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_FALSE(HasTier());
  EXPECT_EQ(store_.PoolNames(), "");
  store_.Close();
}

TEST_F(Environment, GivesWayToWhatTheProgramSays) {
  Set("PATH", "/no/such/place");
  Set("SIZE", "9M");
  store_.pmem.size = 12 << 20;
  ASSERT_OK(store_.Open());
  ASSERT_EQ(Pools().size(), 1u);
  EXPECT_EQ(Pools()[0].ceiling, 12u << 20);
}

TEST_F(Environment, SaysNothingOfAPoolThatIsThere) {
  Set("ASSUME", "0");
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "value"));
  store_.Close();
  const std::string file = ReadFile(store_.path() + "/PMEM");
  EXPECT_NE(file.find("size 8388608\nassume_pmem 0\n"), std::string::npos) << file;
  Set("SIZE", "12M");
  Set("ASSUME", "1");
  ASSERT_OK(store_.OpenPlainly());
  store_.Close();
  EXPECT_EQ(ReadFile(store_.path() + "/PMEM"), file);
  EXPECT_EQ(Pools()[0].ceiling, 8u << 20);
  // The program itself can change these.
  store_.pmem.assume_pmem = IsInMemory(store_.pools());
  store_.pmem.size = 12 << 20;
  ASSERT_OK(store_.Open());
  EXPECT_EQ(Pools()[0].ceiling, 12u << 20);
}

TEST_F(Environment, PrefaultsWholePools) {
  Set("SIZE", "16M");
  Set("PREFAULT", "1");
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "value"));
  ASSERT_EQ(Pools().size(), 1u);
  EXPECT_EQ(Pools()[0].size, Pools()[0].ceiling);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
