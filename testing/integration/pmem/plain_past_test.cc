// A database that was plain before: its tables, including level 0, are below the trees, its logs
// are in a tree before the first record in the pool, and it stays plain unless `convert` is set.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/env.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class PlainPast : public ::testing::Test {
 protected:
  PlainPast() : seed_(AnnouncedSeed()), dice_(seed_), history_(dice_.Next(), 2000) {}

  int Level0Tables() {
    std::string count;
    EXPECT_TRUE(store_.db()->GetProperty("leveldb.num-files-at-level0", &count));
    return std::stoi(count);
  }

  void Convert() {
    store_.pmem.convert = true;
    ASSERT_OK(store_.Open());
    ASSERT_NE(store_.PoolNames(), "");
    ASSERT_OK(store_.CheckAt(history_));
  }

  const uint64_t seed_;
  Dice dice_;
  TierStore store_{kTinyPool};
  History history_;
};

TEST_F(PlainPast, StaysPlainUnlessToldOtherwise) {
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.Write(&history_, 100));
  const Status refused = store_.Open();
  EXPECT_TRUE(Says(refused, store_.path()));
  EXPECT_TRUE(Says(refused, "convert"));
  store_.pmem.require = false;
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
  EXPECT_EQ(store_.PoolNames(), "");
  EXPECT_FALSE(Env::Default()->FileExists(store_.path() + "/PMEM"));
  store_.Close();
  if (HaveStockLibrary()) {
    EXPECT_EQ(RunDriver(Library::kStock, {store_.path(), "compact"}).code, 0);
  }
}

// A plain database that an open refuses is neither given a pool nor changed: a repair still saves
// all.
class RefusedPlainPast : public PlainPast {
 protected:
  void ExpectRefusedAndUnchanged(const std::string& words) {
    store_.Close();
    const TempDir kept;
    CopyDir(store_.path(), kept / "db");
    std::remove((kept / "db/LOG").c_str());
    std::remove((kept / "db/LOG.old").c_str());
    const Status plainly = store_.OpenPlainly();
    EXPECT_TRUE(Says(plainly, words)) << plainly.ToString();
    store_.pmem.convert = true;
    for (const bool require : {true, false}) {
      store_.pmem.require = require;
      const Status status = store_.Open();
      EXPECT_EQ(status.ToString(), plainly.ToString());
    }
    EXPECT_EQ(store_.PoolNames(), "");
    EXPECT_FALSE(Env::Default()->FileExists(store_.path() + "/PMEM"));
    EXPECT_TRUE(SameFiles(kept / "db", store_.path()));
  }

  std::string ManifestPath() const {
    for (const std::string& name : FileNames(store_.path())) {
      if (name.find("MANIFEST") == 0) return store_.path() + "/" + name;
    }
    return "";
  }
};

TEST_F(RefusedPlainPast, WithAnOlderManifest) {
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.Write(&history_, 50));
  ASSERT_OK(store_.OpenPlainly());
  store_.Close();
  const std::string current = ReadFile(store_.path() + "/CURRENT");
  const std::string manifest = ManifestPath();
  const std::string older = ReadFile(manifest);
  for (int session = 0; session < 2; session++) {
    ASSERT_OK(store_.OpenPlainly());
    ASSERT_OK(store_.Write(&history_, 50));
  }
  ASSERT_OK(store_.OpenPlainly());
  store_.Close();
  std::remove(ManifestPath().c_str());
  for (const std::string& name : FileNamesEnding(store_.path(), ".log")) {
    std::remove((store_.path() + "/" + name).c_str());
  }
  WriteFile(store_.path() + "/CURRENT", current);
  WriteFile(manifest, older);
  ExpectRefusedAndUnchanged("log");
  store_.pmem.convert = false;
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  Convert();
}

TEST_F(RefusedPlainPast, WithATableThatIsMissing) {
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.Write(&history_, 50));
  store_.Flush();
  store_.Close();
  const std::vector<std::string> tables = FileNamesEnding(store_.path(), ".ldb");
  ASSERT_FALSE(tables.empty());
  std::remove((store_.path() + "/" + tables[0]).c_str());
  ExpectRefusedAndUnchanged("missing files; e.g.");
}

TEST_F(PlainPast, HasTablesInLevel0UnderNewerTrees) {
  // Makes level-0 tables that overlap, as they remain when nothing triggers their compaction.
  store_.options.write_buffer_size = 4 << 20;
  for (int table = 0; table < 3; ++table) {
    ASSERT_OK(store_.OpenPlainly());
    ASSERT_OK(store_.Write(&history_, 150));
  }
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_GT(Level0Tables(), 0);
  store_.options.write_buffer_size = 64 << 10;
  Convert();
  // Adds newer versions and deletions over them, spilled and merged.
  for (int round = 0; round < 10; ++round) {
    ASSERT_OK(store_.Write(&history_, 150));
    store_.Flush();
    ASSERT_OK(store_.CheckAt(history_));
  }
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
  store_.db()->CompactRange(nullptr, nullptr);
  ASSERT_OK(store_.CheckAt(history_));
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.pmem_db()->Drain());
  ASSERT_OK(store_.CheckAt(history_));
}

TEST_F(PlainPast, SpillsOverTablesInLevel0) {
  store_.options.write_buffer_size = 4 << 20;
  for (int table = 0; table < 3; ++table) {
    ASSERT_OK(store_.OpenPlainly());
    ASSERT_OK(store_.Write(&history_, 150));
  }
  store_.options.write_buffer_size = 64 << 10;
  store_.pmem.spill_start = 0.05;
  store_.pmem.spill_stop = 0;
  Convert();
  for (int round = 0; round < 10; ++round) {
    ASSERT_OK(store_.Write(&history_, 100));
    store_.Flush();
    ASSERT_OK(store_.CheckAt(history_));
  }
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
}

TEST_F(PlainPast, HasLogsThatWereNotFlushed) {
  for (const bool reuse_logs : {false, true}) {
    TierStore store(kTinyPool);
    store.options.reuse_logs = reuse_logs;
    store.options.write_buffer_size = 4 << 20;
    History history(dice_.Next(), 1000);
    ASSERT_OK(store.OpenPlainly());
    ASSERT_OK(store.Write(&history, 200));
    store.Close();
    ASSERT_FALSE(FileNamesEnding(store.path(), ".log").empty());
    store.pmem.convert = true;
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
    // Nothing is in .log files any more, and the first record in the pool is newer.
    EXPECT_TRUE(FileNamesEnding(store.path(), ".log").empty());
    ASSERT_OK(store.Write(&history, 5));
    store.Keep("killed");
    store.BringBack("killed");
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
    ASSERT_OK(store.Check());
  }
}

TEST_F(PlainPast, OfTheStockLibraryToo) {
  if (!HaveStockLibrary()) {
    GTEST_SKIP() << "this system has no libleveldb.so.1d of its own (package libleveldb1d)";
  }
  // The driver draws the same history from the same seed, with values of the same size.
  const std::string seed = std::to_string(dice_.Below(1u << 30));
  const Arguments write = {store_.path(), "small", "write", seed, "1", "300", "0", "die"};
  ASSERT_EQ(RunDriver(Library::kStock, write).code, -9);
  history_ = History(std::stoull(seed), 1500);
  history_.ExtendTo(300);
  Convert();
  ASSERT_OK(store_.Write(&history_, 300));
  ASSERT_OK(store_.CheckAt(history_));
  ASSERT_OK(store_.pmem_db()->Drain());
  store_.Close();
  const Finished checked = RunDriver(Library::kStock, {store_.path(), "check", seed, "600"});
  EXPECT_EQ(checked.code, 0) << checked.output;
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
