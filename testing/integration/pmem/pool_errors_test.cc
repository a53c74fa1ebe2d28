// A pool that is missing, busy, truncated, too small, damaged or another database's: one error
// names both paths and says what can be done, and nothing is made in its place.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "leveldb/env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

// The pool is in a directory of pools, or one file.
class PoolErrors : public ::testing::TestWithParam<bool> {
 protected:
  PoolErrors() : history_(AnnouncedSeed(), 2000) {
    if (GetParam()) {
      store_.pmem.path = store_.pools() + "/pool";
    }
    EXPECT_OK(store_.Open());
    EXPECT_OK(store_.Write(&history_, 200));
    store_.Close();
    store_.Keep("well");
  }

  // Expects that every way of opening is refused, names both paths, and leaves everything as it
  // was.
  Status Refused() {
    const std::string pools = store_.PoolNames();
    const std::string files = Listing();
    const Status refused = store_.Open();
    EXPECT_FALSE(refused.ok());
    EXPECT_TRUE(Says(refused, store_.path()));
    EXPECT_TRUE(Says(refused, store_.pools()));
    const Status plainly = store_.OpenPlainly();
    EXPECT_FALSE(plainly.ok());
    EXPECT_TRUE(Says(plainly, store_.pools()));
    EXPECT_EQ(store_.PoolNames(), pools);
    EXPECT_EQ(Listing(), files);
    return refused;
  }

  // Returns the names in the database's directory, except info logs.
  std::string Listing() const {
    std::string text;
    for (const std::string& name : FileNames(store_.path())) {
      text += name.compare(0, 3, "LOG") == 0 ? "" : name + "\n";
    }
    return text;
  }

  void IsWellAgain() {
    store_.BringBack("well");
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.CheckAt(history_));
  }

  TierStore store_{kTinyPool};
  History history_;
};

TEST_P(PoolErrors, Missing) {
  RemoveDir(store_.pools());
  fs::create_directory(store_.pools());
  const Status refused = Refused();
  EXPECT_TRUE(Says(refused, "bushstore repair --without-pool"));
  EXPECT_EQ(store_.PoolNames(), "");
  IsWellAgain();
}

TEST_P(PoolErrors, InADirectoryThatIsMissing) {
  RemoveDir(store_.pools());
  const Status refused = store_.Open();
  EXPECT_TRUE(Says(refused, store_.pools()));
  EXPECT_TRUE(Says(refused, "bushstore repair --without-pool"));
  EXPECT_FALSE(fs::exists(store_.pools()));
  IsWellAgain();
}

TEST_P(PoolErrors, CutShort) {
  for (const uint64_t length : {uint64_t{0}, uint64_t{4096}, uint64_t{1} << 20, kTinyPool - 4096}) {
    store_.BringBack("well");
    fs::resize_file(store_.PoolFiles().front(), length);
    const Status refused = Refused();
    EXPECT_FALSE(refused.IsNotFound()) << refused.ToString();
    EXPECT_TRUE(Says(refused, "bushstore repair " + store_.path()));
    // A repair saves what can be read, or reports that there is nothing.
    const Status repaired = RepairDB(store_.path(), store_.options);
    EXPECT_TRUE(repaired.ok() || Says(repaired, "bushstore repair --without-pool " + store_.path()))
        << repaired.ToString();
    EXPECT_TRUE(repaired.ok() || length < kTinyPool - 4096) << repaired.ToString();
    ASSERT_FALSE(HasFailure()) << "cut to " << length << ": " << refused.ToString();
  }
  IsWellAgain();
}

TEST_P(PoolErrors, OverwrittenByZeros) {
  const std::string file = store_.PoolFiles().front();
  WriteFile(file, std::string(fs::file_size(file), '\0'));
  Refused();
  IsWellAgain();
}

TEST_P(PoolErrors, SomethingElse) {
  const std::string file = store_.PoolFiles().front();
  WriteFile(file, std::string(fs::file_size(file), 'x'));
  Refused();
  IsWellAgain();
}

TEST_P(PoolErrors, OfAnotherDatabase) {
  // Puts another database's pool in place of ours, under its name.
  TierStore other(kTinyPool);
  other.pmem.path = GetParam() ? other.pools() + "/pool" : other.pools();
  ASSERT_OK(other.Open());
  ASSERT_OK(other.db()->Put(WriteOptions(), "other", "value"));
  other.Close();
  ASSERT_EQ(other.PoolFiles().size(), store_.PoolFiles().size());
  for (size_t i = 0; i < other.PoolFiles().size(); ++i) {
    fs::copy_file(other.PoolFiles()[i], store_.PoolFiles()[i],
                  fs::copy_options::overwrite_existing);
  }
  const Status refused = Refused();
  EXPECT_FALSE(refused.IsNotFound()) << refused.ToString();
  EXPECT_TRUE(Says(refused, "bushstore repair --without-pool " + store_.path()));
  IsWellAgain();
}

TEST_P(PoolErrors, NamedByAnotherDirectory) {
  // Puts the PMEM file of another database into ours.
  TierStore other(kTinyPool);
  ASSERT_OK(other.Open());
  other.Close();
  WriteFile(store_.path() + "/PMEM", ReadFile(other.path() + "/PMEM"));
  const Status refused = store_.Open();
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_TRUE(Says(refused, store_.path() + "/PMEM"));
  ASSERT_OK(other.Open());
  IsWellAgain();
}

TEST_P(PoolErrors, BusyInAnotherProcess) {
  ASSERT_OK(store_.Open());
  // The directory's LOCK is moved away; the pool is still locked.
  const std::string other = store_.dir() / "other";
  store_.Keep("open");
  fs::rename(store_.dir() / "open/db", other);
  const Finished driver = RunDriver(Library::kOurs, {other, "where"});
  EXPECT_EQ(driver.code, 1);
  EXPECT_NE(driver.output.find(store_.pools()), std::string::npos) << driver.output;
  EXPECT_NE(driver.output.find("has to close it first"), std::string::npos) << driver.output;
  ASSERT_OK(store_.CheckAt(history_));
}

TEST_P(PoolErrors, NoPmemFile) {
  ASSERT_TRUE(fs::remove(store_.path() + "/PMEM"));
  const Status refused = store_.Open();
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_TRUE(Says(refused, store_.path() + "/PMEM"));
  EXPECT_FALSE(store_.OpenPlainly().ok());
  IsWellAgain();
}

TEST_P(PoolErrors, DamagedPmemFile) {
  const std::string good = ReadFile(store_.path() + "/PMEM");
  for (const std::string& bad :
       {std::string(), std::string("nonsense\n"), good.substr(0, good.size() / 2), good + good}) {
    WriteFile(store_.path() + "/PMEM", bad);
    const Status refused = store_.Open();
    EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
    EXPECT_TRUE(Says(refused, store_.path() + "/PMEM"));
  }
  WriteFile(store_.path() + "/PMEM", good);
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
}

INSTANTIATE_TEST_SUITE_P(Of, PoolErrors, ::testing::Bool(),
                         [](const auto& file) { return file.param ? "AFile" : "ADirectory"; });

TEST(NoPool, CanBeMadeTooSmallOrNowhere) {
  TierStore store;
  for (const char* place : {"/no/such/place/pool", "/proc/pool", "/dev/null"}) {
    store.pmem.path = place;
    const Status refused = store.Open();
    EXPECT_TRUE(Says(refused, store.path())) << refused.ToString();
    EXPECT_FALSE(Env::Default()->FileExists(store.path() + "/CURRENT"));
  }
  // An existing file that is not a pool must not be overwritten.
  store.pmem.path = store.pools() + "/file";
  WriteFile(store.pmem.path, "precious");
  EXPECT_TRUE(Says(store.Open(), store.pmem.path));
  EXPECT_EQ(ReadFile(store.pmem.path), "precious");
  // Too small: the error names the least size.
  store.pmem.path = store.pools();
  store.pmem.size = kTinyPool - 1;
  EXPECT_TRUE(Says(store.Open(), std::to_string(kTinyPool)));
  store.pmem.size = kTinyPool;
  ASSERT_OK(store.Open());
  ASSERT_OK(store.db()->Put(WriteOptions(), "key", "value"));
  // Without `require` the database is opened all the same, as a plain one.
  TierStore plain;
  plain.pmem.path = "/no/such/place/pool";
  plain.pmem.require = false;
  ASSERT_OK(plain.Open());
  ASSERT_OK(plain.db()->Put(WriteOptions(), "key", "value"));
  plain.Close();
  EXPECT_NE(ReadFile(plain.path() + "/LOG").find("/no/such/place"), std::string::npos);
  EXPECT_FALSE(Env::Default()->FileExists(plain.path() + "/PMEM"));
  ASSERT_OK(plain.OpenPlainly());
}

TEST(AssumedPmem, IsRefusedOnADiskUnlessForced) {
  TierStore store(kTinyPool, Medium::kDisk);
  if (IsInMemory(store.pools())) {
    GTEST_SKIP() << "there is no disk here";
  }
  store.pmem.assume_pmem = true;
  const Status refused = store.Open();
  EXPECT_FALSE(refused.ok());
  EXPECT_TRUE(Says(refused, "assume_pmem"));
  store.pmem.assume_pmem_anywhere = true;
  ASSERT_OK(store.Open());
  ASSERT_OK(store.db()->Put(WriteOptions(), "key", "value"));
  store.Close();
  EXPECT_NE(ReadFile(store.path() + "/LOG").find("emulat"), std::string::npos);
  // From now on the option is not needed.
  ASSERT_OK(store.OpenPlainly());
  store.Close();
  ASSERT_OK(DrainDB(store.path(), store.options));
  ASSERT_OK(store.OpenPlainly());
  std::string value;
  ASSERT_OK(store.db()->Get(ReadOptions(), "key", &value));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
