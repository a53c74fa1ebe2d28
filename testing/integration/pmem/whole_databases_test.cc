// Operations on whole databases with a pool: destroying, repairing, backing up, checking.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

class WholeDatabases : public ::testing::Test {
 protected:
  WholeDatabases() : seed_(AnnouncedSeed() % (1u << 30)), history_(seed_, 1500) {
    EXPECT_OK(store_.Open());
    // Makes tables, trees of several levels, and a log.
    for (int layer = 0; layer < 10; ++layer) {
      EXPECT_OK(store_.Write(&history_, 150));
      store_.Flush();
    }
    store_.db()->CompactRange(nullptr, nullptr);
    EXPECT_OK(store_.Write(&history_, 60));
  }

  // Expects that the directory is plain LevelDB's and at the last batch of the history.
  void ExpectPlain(const std::string& path) {
    if (HaveStockLibrary()) {
      const Finished checked = RunDriver(
          Library::kStock, {path, "check", std::to_string(seed_), std::to_string(history_.size())});
      EXPECT_EQ(checked.code, 0) << checked.output;
    }
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(store_.options, path, &opened));
    const std::unique_ptr<DB> db(opened);
    uint64_t count = 0;
    ASSERT_OK(history_.Check(db.get(), &count));
    EXPECT_EQ(count, history_.size());
    std::string text;
    EXPECT_FALSE(db->GetProperty("leveldb.pmem", &text));
  }

  const uint64_t seed_;
  TierStore store_{kTinyPool};
  History history_;
};

TEST_F(WholeDatabases, DestroyedTakeTheirPoolsWithThem) {
  EXPECT_TRUE(Says(DestroyDB(store_.path(), store_.options), "LOCK"));
  ASSERT_OK(store_.CheckAt(history_));
  store_.Close();
  ASSERT_OK(DestroyDB(store_.path(), store_.options));
  EXPECT_FALSE(fs::exists(store_.path()));
  EXPECT_EQ(store_.PoolNames(), "");
  EXPECT_OK(DestroyDB(store_.path(), store_.options));
}

TEST_F(WholeDatabases, AreDestroyedEvenIfThePoolIsGoneOrInPieces) {
  store_.Close();
  store_.Keep("whole");
  RemoveDir(store_.pools());
  EXPECT_OK(DestroyDB(store_.path(), store_.options));
  EXPECT_FALSE(fs::exists(store_.path()));
  store_.BringBack("whole");
  fs::resize_file(store_.PoolFiles().front(), 100000);
  EXPECT_OK(DestroyDB(store_.path(), store_.options));
  EXPECT_FALSE(fs::exists(store_.path()));
}

TEST_F(WholeDatabases, DestroyedLeaveForeignFilesAndPoolsAlone) {
  WriteFile(store_.path() + "/notes.txt", "mine");
  WriteFile(store_.pools() + "/notes.txt", "mine");
  PmemDB* other = nullptr;
  ASSERT_OK(PmemOpen(store_.options, store_.pmem, store_.dir() / "other", &other));
  delete other;
  store_.Close();
  ASSERT_OK(DestroyDB(store_.path(), store_.options));
  EXPECT_EQ(ReadFile(store_.path() + "/notes.txt"), "mine");
  EXPECT_EQ(ReadFile(store_.pools() + "/notes.txt"), "mine");
  ASSERT_OK(PmemOpen(store_.options, store_.pmem, store_.dir() / "other", &other));
  delete other;
}

TEST_F(WholeDatabases, RepairedArePlainAndComplete) {
  for (const bool killed : {false, true}) {
    if (killed) {
      store_.Keep("killed");
      store_.BringBack("killed");
    } else {
      store_.Keep("for the second round");
      store_.Close();
    }
    ASSERT_OK(RepairDB(store_.path(), store_.options));
    ExpectPlain(store_.path());
    // The pool is set aside, and can be removed as an orphan.
    std::vector<PmemPoolInfo> pools;
    ASSERT_OK(DescribePools(store_.pools(), &pools));
    ASSERT_EQ(pools.size(), 1u);
    EXPECT_TRUE(pools[0].is_set_aside);
    EXPECT_OK(RemoveOrphanPool(pools[0]));
    EXPECT_EQ(store_.PoolNames(), "");
    if (!killed) {
      store_.BringBack("for the second round");
      ASSERT_OK(store_.Open());
      ASSERT_OK(store_.CheckAt(history_));
    }
  }
}

TEST_F(WholeDatabases, RepairedWithoutAManifestAreCompleteToo) {
  store_.Close();
  for (const std::string& name : FileNames(store_.path())) {
    if (name == "CURRENT" || name.find("MANIFEST") != std::string::npos) {
      fs::remove(store_.path() + "/" + name);
    }
  }
  // Only the manifest names trees; what logs and tables hold is saved.
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "after", "it"));
}

TEST_F(WholeDatabases, RepairedWithoutAManifestWhileTheyLeaveAreCompleteToo) {
  store_.Close();
  for (const std::string& name : FileNames(store_.path())) {
    if (name == "CURRENT" || name.find("MANIFEST") != std::string::npos) {
      fs::remove(store_.path() + "/" + name);
    }
  }
  std::string text = ReadFile(store_.path() + "/PMEM");
  text.replace(text.find("state used"), strlen("state used"), "state leaving");
  WriteFile(store_.path() + "/PMEM", text);
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  EXPECT_NE(ReadFile(store_.path() + "/LOG").find("entries saved from the pool"),
            std::string::npos);
}

TEST_F(WholeDatabases, RepairedWithoutTheirPoolKeepWhatIsInTables) {
  // Moves everything into tables, then writes some more that is only in the pool.
  ASSERT_OK(store_.pmem_db()->Drain());
  store_.pmem.convert = true;
  ASSERT_OK(store_.Open());
  const History in_tables = history_;
  ASSERT_OK(store_.Write(&history_, 100));
  store_.Close();
  RemoveDir(store_.pools());
  fs::create_directory(store_.pools());
  EXPECT_FALSE(store_.Open().ok());
  std::string report;
  ASSERT_OK(RepairDBWithoutPool(store_.path(), store_.options, &report));
  EXPECT_NE(report, "");
  history_ = in_tables;
  ExpectPlain(store_.path());
}

TEST_F(WholeDatabases, BackedUpAreCopiedWithoutThePool) {
  for (const bool killed : {false, true}) {
    if (killed) {
      ASSERT_OK(store_.Open());
      ASSERT_OK(store_.Write(&history_, 30));
      store_.Keep("killed");
      store_.BringBack("killed");
    }
    store_.Close();
    const std::string target = store_.dir() / (killed ? "backup1" : "backup2");
    const std::string pools = store_.PoolNames();
    ASSERT_OK(BackupDB(store_.path(), store_.options, store_.pmem, target));
    ExpectPlain(target);
    EXPECT_FALSE(fs::exists(target + "/PMEM"));
    // The original is unchanged.
    EXPECT_EQ(store_.PoolNames(), pools);
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.CheckAt(history_));
    ASSERT_OK(store_.Check());
  }
}

TEST_F(WholeDatabases, BackedUpOverwriteNothing) {
  EXPECT_FALSE(BackupDB(store_.path(), store_.options, store_.pmem, store_.dir() / "backup").ok());
  store_.Close();
  TierStore other(kTinyPool);
  ASSERT_OK(other.OpenPlainly());
  ASSERT_OK(other.db()->Put(WriteOptions(), "key", "precious"));
  other.Close();
  EXPECT_FALSE(BackupDB(store_.path(), store_.options, store_.pmem, other.path()).ok());
  ASSERT_OK(other.OpenPlainly());
  std::string value;
  ASSERT_OK(other.db()->Get(ReadOptions(), "key", &value));
  EXPECT_EQ(value, "precious");
}

TEST_F(WholeDatabases, ABackupThatFailsLeavesNothing) {
  store_.Close();
  const std::string target = store_.dir() / "backup";
  FaultEnv env(Env::Default());
  store_.options.env = &env;
  const std::pair<Call, const char*> faults[] = {{Call::kAppend, "/backup/0"},
                                                 {Call::kSync, "/backup/MANIFEST-"},
                                                 {Call::kRename, "/backup/"}};
  for (const auto& [call, name] : faults) {
    SCOPED_TRACE(CallName(call));
    Fault fault;
    fault.call = call;
    fault.only_names_with = name;
    env.Inject(fault);
    EXPECT_TRUE(BackupDB(store_.path(), store_.options, store_.pmem, target).IsIOError());
    EXPECT_EQ(env.failures(), 1u);
    env.Heal();
    std::string left;
    for (const fs::directory_entry& entry : fs::directory_iterator(target)) {
      const std::string file = entry.path().filename();
      if (file != "LOCK") {
        left += file + " ";
      }
    }
    EXPECT_EQ(left, "");
  }
  ASSERT_OK(BackupDB(store_.path(), store_.options, store_.pmem, target));
  store_.options.env = Env::Default();
  ExpectPlain(target);
}

// The logs in the target are of an earlier database, and no part of the copy.
TEST_F(WholeDatabases, BackedUpTakeNoLogsIn) {
  store_.Close();
  const std::string target = store_.dir() / "backup";
  fs::create_directory(target);
  {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(store_.options, target, &opened));
    const std::unique_ptr<DB> db(opened);
    ASSERT_OK(db->Put(WriteOptions(), "key", "of another"));
  }
  fs::remove(target + "/CURRENT");
  for (const std::string& name : FileNamesEnding(target, ".log")) {
    fs::rename(target + "/" + name, target + "/000999.log");
  }
  ASSERT_OK(BackupDB(store_.path(), store_.options, store_.pmem, target));
  ExpectPlain(target);
}

TEST_F(WholeDatabases, AreCheckedDownToTheLastReference) {
  store_.Close();
  std::string report;
  ASSERT_OK(CheckDB(store_.path(), store_.options, store_.pmem, &report)) << report;
  EXPECT_NE(report, "");
  // Checking changes nothing that matters.
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
  // Checking an open database is refused.
  EXPECT_FALSE(CheckDB(store_.path(), store_.options, store_.pmem, &report).ok());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
