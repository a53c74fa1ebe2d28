// Which opens are refused, and with which messages, which other programs search for.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/comparators.h"
#include "testing/fault_env.h"
#include "testing/status_checks.h"
#include "testing/subprocess.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"

namespace leveldb {
namespace testkit {
namespace {

class OpenRules : public ::testing::Test {
 protected:
  Status Open(const Options& options) {
    db_.reset();
    DB* db = nullptr;
    const Status status = DB::Open(options, path_, &db);
    db_.reset(db);
    EXPECT_EQ(status.ok(), db != nullptr);
    return status;
  }

  static Options Creating() {
    Options options;
    options.create_if_missing = true;
    return options;
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "db";
  std::unique_ptr<DB> db_;
};

TEST_F(OpenRules, AMissingDatabaseIsNotMadeUnasked) {
  const Status status = Open(Options());
  EXPECT_TRUE(status.IsInvalidArgument());
  EXPECT_EQ(status.ToString(),
            "Invalid argument: " + path_ + ": does not exist (create_if_missing is false)");
  // The refusal leaves nothing that a later open would take for a database.
  EXPECT_TRUE(Open(Options()).IsInvalidArgument());
  EXPECT_OK(Open(Creating()));
}

TEST_F(OpenRules, AnExistingDatabaseIsRefusedIfAsked) {
  ASSERT_OK(Open(Creating()));
  Options options;
  options.error_if_exists = true;
  const Status status = Open(options);
  EXPECT_TRUE(status.IsInvalidArgument());
  EXPECT_EQ(status.ToString(), "Invalid argument: " + path_ + ": exists (error_if_exists is true)");
  EXPECT_OK(Open(Options()));
}

TEST_F(OpenRules, AnotherComparatorIsRefused) {
  ASSERT_OK(Open(Creating()));
  Options options;
  options.comparator = ReverseComparator();
  const Status status = Open(options);
  EXPECT_TRUE(status.IsInvalidArgument());
  EXPECT_EQ(status.ToString(),
            "Invalid argument: leveldb.BytewiseComparator does not match existing comparator : "
            "test.Reverse");
  EXPECT_OK(Open(Options()));
}

TEST_F(OpenRules, ADirectoryThatCannotBeLockedIsAnInputOutputError) {
  // Simulates a user with read permission only, for a directory that may hold no database.
  FaultEnv env(Env::Default());
  Fault fault;
  fault.call = Call::kLock;
  fault.text = "Permission denied";
  env.Inject(fault);
  Options options;
  options.env = &env;
  DB* db = nullptr;
  const Status status = DB::Open(options, dir_.path(), &db);
  EXPECT_EQ(db, nullptr);
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_TRUE(Says(status, "LOCK: Permission denied"));
}

TEST_F(OpenRules, TheParentDirectoryMustExist) {
  DB* db = nullptr;
  const Status status = DB::Open(Creating(), dir_ / "no/such/parent", &db);
  EXPECT_EQ(db, nullptr);
  EXPECT_TRUE(Says(status, dir_ / "no/such/parent"));
  EXPECT_TRUE(Says(status, "No such file or directory"));
}

TEST_F(OpenRules, ASecondOpenInTheSameProcessIsRefused) {
  ASSERT_OK(Open(Creating()));
  ASSERT_OK(db_->Put(WriteOptions(), "key", "value"));
  DB* second = nullptr;
  const Status status = DB::Open(Creating(), path_, &second);
  EXPECT_EQ(second, nullptr);
  EXPECT_TRUE(status.IsIOError());
  EXPECT_TRUE(Says(status, path_ + "/LOCK: already held by process"));
  // The first database remains open, and still holds the lock after the refusal.
  EXPECT_OK(db_->Put(WriteOptions(), "key", "other"));
  EXPECT_TRUE(DB::Open(Creating(), path_, &second).IsIOError());
  EXPECT_OK(Open(Options()));
}

TEST_F(OpenRules, ASecondOpenInAnotherProcessIsRefused) {
  ASSERT_OK(Open(Creating()));
  for (const Library library : {Library::kOurs, Library::kStock}) {
    if (library == Library::kStock && !HaveStockLibrary()) {
      continue;
    }
    const Finished other = RunDriver(library, {path_, "where"});
    EXPECT_EQ(other.code, 1);
    EXPECT_NE(other.output.find(path_ + "/LOCK: Resource temporarily unavailable"),
              std::string::npos)
        << other.output;
  }
  // Reading the lock file, or failing to open the database, must not drop the lock: POSIX drops a
  // process's locks on a file when any descriptor of it is closed.
  DB* second = nullptr;
  EXPECT_FALSE(DB::Open(Options(), path_, &second).ok());
  EXPECT_EQ(RunDriver(Library::kOurs, {path_, "where"}).code, 1);
  db_.reset();
  EXPECT_EQ(RunDriver(Library::kOurs, {path_, "where"}).code, 0);
}

TEST_F(OpenRules, MissingTablesAreNamed) {
  ASSERT_OK(Open(Creating()));
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), std::to_string(i), std::string(1000, 'v')));
  }
  db_->CompactRange(nullptr, nullptr);
  db_.reset();
  const std::vector<std::string> tables = FileNamesEnding(path_, ".ldb");
  ASSERT_FALSE(tables.empty());
  ASSERT_EQ(std::remove((path_ + "/" + tables[0]).c_str()), 0);
  const Status status = Open(Options());
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_TRUE(Says(status, "missing files; e.g."));
  EXPECT_TRUE(Says(status, "RepairDB (`bushstore repair " + path_ + "`)"));
  EXPECT_TRUE(Says(status, tables[0]));
}

TEST_F(OpenRules, CurrentMustBeWhole) {
  ASSERT_OK(Open(Creating()));
  db_.reset();
  const std::string current = ReadFile(path_ + "/CURRENT");
  const std::string manifest = current.substr(0, current.size() - 1);
  for (const std::string& contents :
       {std::string(), manifest + " \n", manifest + "\n" + manifest + "\n",
        "<<<<<<< HEAD\n" + manifest + "\n=======\nMANIFEST-000001\n>>>>>>> 1234abc\n"}) {
    WriteFile(path_ + "/CURRENT", contents);
    const Status status = Open(Options());
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_TRUE(Says(status, path_ + "/CURRENT")) << status.ToString();
    EXPECT_TRUE(Says(status, "RepairDB")) << status.ToString();
  }
  WriteFile(path_ + "/CURRENT", "MANIFEST-999999\n");
  const Status missing = Open(Options());
  EXPECT_TRUE(Says(missing, path_ + "/MANIFEST-999999")) << missing.ToString();
  EXPECT_TRUE(Says(missing, "RepairDB")) << missing.ToString();
  WriteFile(path_ + "/CURRENT", current);
  EXPECT_OK(Open(Options()));
}

// git leaves CURRENT so on other systems. LevelDB refuses such a file, and opens the directory
// again after ours has opened it.
TEST_F(OpenRules, CurrentMayEndAsOnOtherSystems) {
  for (const bool reuses : {false, true}) {
    for (const char* const end : {"\r\n", ""}) {
      ASSERT_OK(Open(Creating()));
      ASSERT_OK(db_->Put(WriteOptions(), "key", "value"));
      db_.reset();
      std::string manifest = ReadFile(path_ + "/CURRENT");
      manifest.pop_back();
      WriteFile(path_ + "/CURRENT", manifest + end);
      if (HaveStockLibrary()) {
        const Finished stock = RunDriver(Library::kStock, {path_, "where"});
        EXPECT_EQ(stock.code, 1) << stock.output;
      }
      Options options;
      options.reuse_logs = reuses;
      ASSERT_OK(Open(options));
      std::string value;
      EXPECT_OK(db_->Get(ReadOptions(), "key", &value));
      db_.reset();
      EXPECT_EQ(ReadFile(path_ + "/CURRENT").back(), '\n');
      if (HaveStockLibrary()) {
        const Finished stock = RunDriver(Library::kStock, {path_, "where"});
        // A database that has been given a tier is refused.
        const bool is_plain = !Env::Default()->FileExists(path_ + "/PMEM");
        EXPECT_EQ(stock.code, is_plain ? 0 : 1) << stock.output;
      }
    }
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
