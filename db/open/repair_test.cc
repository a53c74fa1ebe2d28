// Tests RepairDB with missing and damaged files.

#include "db/open/repair_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/helpers/memenv.h"
#include "testing/comparators.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"

namespace leveldb {
namespace {

using testkit::Contents;
using testkit::FileNamesEnding;

// What is missing

TEST_F(RepairTest, AMissingDirectoryIsAnErrorAndStaysMissing) {
  EXPECT_FALSE(RepairDB(path_, options_).ok());
  EXPECT_FALSE(Env::Default()->FileExists(path_));
}

TEST_F(RepairTest, AnEmptyDirectoryBecomesAnEmptyDatabase) {
  MakeDirectory();
  EXPECT_EQ(RepairAndRead(), Contents());
  EXPECT_TRUE(FileNamesEnding(path_, ".ldb").empty());
}

TEST_F(RepairTest, OnlyLogs) {
  MakeDirectory();
  // The later log is newer, as in an open, whatever its sequences are.
  WriteLog("000007.log", {Batch(10, "a", "old"), Batch(11, "b", "b")});
  WriteLog("000009.log", {Batch(1, "a", "new"), Batch(2, "c", "c")});
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "new"}, {"b", "b"}, {"c", "c"}}));
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".log"),
            (std::vector<std::string>{"000007.log", "000009.log"}));
  const std::unique_ptr<DB> db = Open();
  ASSERT_OK(db->Put(WriteOptions(), "a", "newest"));  // gets a sequence above 11
  std::string value;
  ASSERT_OK(db->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(value, "newest");
}

// A directory that contains only logs; it is opened, and a copy of it is repaired.
class RepeatedLogsTest : public RepairTest {
 protected:
  void Expect(const std::vector<std::vector<std::string>>& logs, const Contents& expected) {
    MakeDirectory();
    { const std::unique_ptr<DB> db = Open(); }
    int number = 5;  // after the log of the open
    for (const std::vector<std::string>& records : logs) {
      WriteLog("00000" + std::to_string(number) + ".log", records);
      number += 2;
    }
    const std::string copy = dir_ / "copy";
    testkit::CopyDir(path_, copy);
    EXPECT_EQ(expected, Read()) << "after an open";
    ASSERT_OK(RepairDB(copy, options_));
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options_, copy, &opened));
    const std::unique_ptr<DB> db(opened);
    Contents contents;
    ASSERT_OK(testkit::ReadContents(db.get(), &contents));
    EXPECT_EQ(expected, contents) << "after a repair";
  }
};

TEST_F(RepeatedLogsTest, ALogThatIsThereTwiceHasOneEffect) {
  const std::vector<std::string> records = {Batch(10, "k", "v1"), Batch(20, "k", "v2")};
  Expect({records, records}, {{"k", "v2"}});
  EXPECT_NE(std::string::npos, InfoLog().find("2 records are there twice")) << InfoLog();
}

TEST_F(RepeatedLogsTest, ADeletionDoesNotComeUndone) {
  const std::vector<std::string> records = {Batch(10, "k", "v1"), Deletion(20, "k")};
  Expect({records, {Batch(30, "other", "x")}, records}, {{"other", "x"}});
}

TEST_F(RepeatedLogsTest, OfOtherBytesWithTheSameNumbersTheLaterLogWins) {
  Expect(
      {{Batch(10, "k", "v1"), Batch(20, "k", "v2")}, {Batch(10, "k", "w1"), Batch(20, "m", "w2")}},
      {{"k", "w1"}, {"m", "w2"}});
}

TEST_F(RepeatedLogsTest, LowerNumbersInALaterLogAreNewer) {
  Expect({{Batch(20, "k", "first")}, {Batch(10, "k", "second")}}, {{"k", "second"}});
}

// The open has created a log, but the manifest does not name it.
TEST_F(RepairTest, AFirstOpenThatDiedIsNoDamage) {
  const Contents before = MakeDatabase();
  Remove("MANIFEST");
  ASSERT_OK(RepairDB(path_, options_));
  testkit::WriteFile(path_ + "/000999.log", "");
  EXPECT_EQ(Read(), before);
}

TEST_F(RepairTest, OnlyTables) {
  const Contents before = MakeDatabase();
  {
    const std::unique_ptr<DB> db = Open();  // flushes the log
  }
  Remove("MANIFEST");
  Remove("CURRENT");
  Remove(".log");
  EXPECT_EQ(RepairAndRead(), before);
}

TEST_F(RepairTest, WithoutCurrentTheNewestManifestIsBelieved) {
  const Contents before = MakeDatabase();
  Remove("CURRENT");
  EXPECT_EQ(Doubt(), "");
  EXPECT_EQ(RepairAndRead(), before);
}

TEST_F(RepairTest, WithoutManifest) {
  const Contents before = MakeDatabase();
  Remove("MANIFEST");
  EXPECT_NE(Doubt(), "");
  EXPECT_EQ(RepairAndRead(), before);
}

// Which version of a key counts

TEST_F(RepairTest, TheSequenceDecidesNotTheFileNumber) {
  MakeDirectory();
  WriteTable("000020.ldb", {{"a", 3, kPut, "old"}, {"b", 9, kPut, "new"}, {"c", 5, kPut, "old"}});
  WriteTable("000010.ldb", {{"a", 7, kPut, "new"}, {"b", 2, kPut, "old"}, {"c", 8, kDelete, ""}});
  WriteTable("000030.ldb", {{"b", 1, kPut, "oldest"}, {"d", 4, kPut, "only"}});
  WriteLog("000005.log", {Batch(6, "a", "middle"), Batch(10, "e", "newest")});
  EXPECT_EQ(RepairAndRead(),
            (Contents{{"a", "new"}, {"b", "new"}, {"d", "only"}, {"e", "newest"}}));
  std::string levels = Levels(Open().get());
  EXPECT_EQ(levels.substr(0, 2), "0 ") << levels;
}

TEST_F(RepairTest, AnEntryThatIsThereSeveralTimesIsOne) {
  MakeDirectory();
  WriteTable("000010.ldb", {{"a", 3, kPut, "a"}, {"b", 4, kPut, "b"}, {"c", 5, kDelete, ""}});
  WriteTable("000020.ldb", {{"a", 3, kPut, "a"}, {"c", 5, kDelete, ""}, {"c", 1, kPut, "old"}});
  WriteLog("000005.log", {Batch(4, "b", "b"), Batch(4, "b", "b"), Batch(3, "a", "a")});
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}, {"b", "b"}}));
}

TEST_F(RepairTest, TablesOfLevel0InTheWrongOrderAreMergedAlthoughTheManifestIsBelieved) {
  {
    const std::unique_ptr<DB> db = Open();
    for (const char* value : {"one", "two", "three"}) {
      ASSERT_OK(db->Put(WriteOptions(), "a", value));
      ASSERT_OK(db->Put(WriteOptions(), "z", value));
      db->CompactRange(nullptr, nullptr);
    }
  }
  // The damaged table is rewritten with a higher number than that of a newer table.
  std::vector<std::string> tables = FileNamesEnding(path_, ".ldb");
  ASSERT_FALSE(tables.empty());
  for (const std::string& name : tables) {
    std::string bytes = testkit::ReadFile(path_ + "/" + name);
    bytes[bytes.size() - 1] = 0;
    testkit::WriteFile(path_ + "/" + name, bytes);
  }
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "three"}, {"z", "three"}}));
}

TEST_F(RepairTest, EqualKeysOfDifferentBytesAreOneKey) {
  options_.comparator = testkit::CaseInsensitiveComparator();
  MakeDirectory();
  WriteTable("000020.ldb", {{"apple", 3, kPut, "old"}, {"BEE", 9, kPut, "new"}});
  WriteTable("000010.ldb", {{"APPLE", 7, kPut, "new"}, {"bee", 2, kPut, "old"}});
  EXPECT_EQ(RepairAndRead(), (Contents{{"APPLE", "new"}, {"BEE", "new"}}));
}

TEST_F(RepairTest, ReverseOrder) {
  options_.comparator = testkit::ReverseComparator();
  const Contents before = MakeDatabase();
  ASSERT_GT(before.front().first, before.back().first);
  EXPECT_EQ(RepairAndRead(), before);
  Remove("MANIFEST");
  EXPECT_EQ(RepairAndRead(), before);
}

// Damaged tables

TEST_F(RepairTest, ATableThatWasCutKeepsWhatIsInFrontOfTheCut) {
  MakeDirectory();
  options_.compression = kNoCompression;
  std::vector<KeyVersion> versions;
  for (int i = 1000; i < 2000; i++) {
    versions.push_back({std::to_string(i), 5, kPut, std::string(100, 'v')});
  }
  WriteTable("000005.ldb", versions);
  WriteTable("000006.ldb", {{"1999", 9, kPut, "from the other table"}});
  const std::string bytes = testkit::ReadFile(path_ + "/000005.ldb");
  testkit::WriteFile(path_ + "/000005.ldb", bytes.substr(0, bytes.size() / 2));
  const Contents after = RepairAndRead();
  EXPECT_GT(after.size(), 400u);
  EXPECT_LT(after.size(), 600u);
  EXPECT_EQ(after.front().first, "1000");
  EXPECT_EQ(after.back().second, "from the other table");
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".ldb"), std::vector<std::string>{"000005.ldb"});
}

TEST_F(RepairTest, ADamagedTableIsReplacedAtItsLevelAndTheOthersAreLeftAlone) {
  MakeDirectory();
  WriteTable("000005.ldb", {{"a", 1, kPut, "a"}, {"b", 2, kPut, "b"}});
  WriteTable("000006.ldb", {{"c", 3, kPut, "c"}, {"d", 4, kPut, "d"}});
  WriteTable("000007.ldb", {{"e", 5, kPut, "e"}, {"f", 6, kPut, "f"}});
  const Contents before = RepairAndRead();
  ASSERT_EQ(before.size(), 6u);
  std::string bytes = testkit::ReadFile(path_ + "/000006.ldb");
  bytes.back() = static_cast<char>(~bytes.back());
  testkit::WriteFile(path_ + "/000006.ldb", bytes);
  ASSERT_EQ(Doubt(), "");
  EXPECT_EQ(RepairAndRead(), before);
  const std::vector<std::string> tables = FileNamesEnding(path_, ".ldb");
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0], "000005.ldb");
  EXPECT_EQ(tables[1], "000007.ldb");
  EXPECT_EQ(Levels(Open().get()), "0 3 0 0 0 0 0 ");
}

TEST_F(RepairTest, ATableWithADamagedFilterIsWrittenAnew) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  options_.filter_policy = bloom.get();
  MakeDirectory();
  WriteTable("000005.ldb", {{"a", 1, kPut, "a"}, {"b", 2, kPut, "b"}});
  std::string bytes = testkit::ReadFile(path_ + "/000005.ldb");
  const size_t filter = bytes.find("filter.leveldb") - 25;
  bytes[filter] = static_cast<char>(~bytes[filter]);
  testkit::WriteFile(path_ + "/000005.ldb", bytes);
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}, {"b", "b"}}));
  EXPECT_FALSE(Env::Default()->FileExists(path_ + "/000005.ldb"));
}

TEST_F(RepairTest, AnEmptyTableAndOneThatIsNone) {
  MakeDirectory();
  WriteTable("000004.ldb", {});
  testkit::WriteFile(path_ + "/000005.ldb", "");
  testkit::WriteFile(path_ + "/000006.ldb", std::string(10000, 'x'));
  WriteTable("000007.ldb", {{"a", 1, kPut, "a"}});
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}}));
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".ldb").size(), 3u);
}

TEST_F(RepairTest, KeysOutOfOrderAreSorted) {
  // As a table of a database with another comparator would be.
  const Comparator* const bytewise = options_.comparator;
  options_.comparator = testkit::ReverseComparator();
  MakeDirectory();
  WriteTable("000005.ldb", {{"c", 3, kPut, "c"}, {"b", 2, kPut, "b"}, {"a", 1, kPut, "a"}});
  options_.comparator = bytewise;
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}, {"b", "b"}, {"c", "c"}}));
}

// Names and numbers

TEST_F(RepairTest, LegacyNames) {
  const Contents before = MakeDatabase();
  { const std::unique_ptr<DB> db = Open(); }
  for (const std::string& name : FileNamesEnding(path_, ".ldb")) {
    ASSERT_OK(Env::Default()->RenameFile(path_ + "/" + name,
                                         path_ + "/" + name.substr(0, name.size() - 3) + "sst"));
  }
  ASSERT_OK(RepairDB(path_, options_));
  EXPECT_FALSE(FileNamesEnding(path_, ".sst").empty());
  EXPECT_EQ(Read(), before);
  Remove("MANIFEST");
  EXPECT_EQ(RepairAndRead(), before);
}

TEST_F(RepairTest, SeveralFilesOfOneNumber) {
  MakeDirectory();
  WriteTable("000005.ldb", {{"a", 1, kPut, "a"}});
  WriteTable("000005.sst", {{"b", 2, kPut, "b"}});
  WriteTable("5.ldb", {{"c", 3, kPut, "c"}});
  WriteTable("0000005.sst", {{"d", 4, kPut, "d"}});
  WriteTable("6.ldb", {{"e", 5, kPut, "e"}});
  WriteLog("5.log", {Batch(6, "f", "f")});
  EXPECT_EQ(RepairAndRead(),
            (Contents{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}, {"e", "e"}, {"f", "f"}}));
}

TEST_F(RepairTest, AbsurdNumbersLeaveRoomForNewFiles) {
  MakeDirectory();
  WriteTable("18446744073709551615.ldb", {{"a", 1, kPut, "a"}});
  WriteLog("18446744073709551614.log", {Batch(2, "b", "b")});
  testkit::WriteFile(path_ + "/MANIFEST-18446744073709551613", "x");
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}, {"b", "b"}}));
  for (const std::string& name : FileNamesEnding(path_, ".ldb")) EXPECT_LT(name.size(), 12u);
  const std::unique_ptr<DB> db = Open();
  ASSERT_OK(db->Put(WriteOptions(), "c", "c"));
  db->CompactRange(nullptr, nullptr);
}

TEST_F(RepairTest, NewFilesGetNumbersAboveAllOthers) {
  MakeDirectory();
  WriteTable("000123.ldb", {{"a", 1, kPut, "a"}});
  WriteTable("000100.ldb", {{"a", 2, kPut, "b"}});
  ASSERT_OK(Env::Default()->CreateDir(path_ + "/lost"));
  testkit::WriteFile(path_ + "/lost/000456.ldb", "mine");
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "b"}}));
  for (const std::string& name : FileNamesEnding(path_, ".ldb")) EXPECT_GT(name, "000456.ldb");
  EXPECT_EQ(testkit::ReadFile(path_ + "/lost/000456.ldb"), "mine");
}

TEST_F(RepairTest, NothingInLostIsOverwritten) {
  MakeDirectory();
  WriteLog("000005.log", {Batch(1, "a", "a")});
  ASSERT_OK(Env::Default()->CreateDir(path_ + "/lost"));
  testkit::WriteFile(path_ + "/lost/000005.log", "from before");
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}}));
  EXPECT_EQ(testkit::ReadFile(path_ + "/lost/000005.log"), "from before");
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".log").size(), 2u);
}

TEST_F(RepairTest, ForeignFilesStayAndTemporariesGo) {
  MakeDirectory();
  for (const char* name : {"notes.txt", "x.ldb", "MANIFEST-x", "000007", "000007.blob"}) {
    testkit::WriteFile(path_ + "/" + name, "mine");
  }
  testkit::WriteFile(path_ + "/000009.dbtmp", "temporary");
  EXPECT_EQ(RepairAndRead(), Contents());
  for (const char* name : {"notes.txt", "x.ldb", "MANIFEST-x", "000007", "000007.blob"}) {
    EXPECT_EQ(testkit::ReadFile(path_ + "/" + name), "mine");
  }
  EXPECT_FALSE(Env::Default()->FileExists(path_ + "/000009.dbtmp"));
}

// Damaged logs

TEST_F(RepairTest, ALogLosesItsDamagedRecordsOnly) {
  MakeDirectory();
  std::string wrong_count = Batch(3, "c", "c");
  wrong_count[8] = 2;
  WriteLog("000005.log", {Batch(1, "a", "a"), "too short", Batch(2, "b", "b"), wrong_count,
                          Batch(kMaxSequenceNumber + 5, "d", "d"), Batch(4, "e", "e")});
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "a"}, {"b", "b"}, {"e", "e"}}));
}

TEST_F(RepairTest, AFlippedBitInALogLosesOneBlockAtMost) {
  MakeDirectory();
  std::vector<std::string> records;
  for (int i = 1000; i < 1300; i++) {
    records.push_back(Batch(i, std::to_string(i), std::string(1000, 'v')));
  }
  WriteLog("000005.log", records);
  std::string bytes = testkit::ReadFile(path_ + "/000005.log");
  bytes[100000] = static_cast<char>(bytes[100000] ^ 1);
  testkit::WriteFile(path_ + "/000005.log", bytes);
  const Contents after = RepairAndRead();
  EXPECT_GE(after.size(), 300u - 34);
  EXPECT_LT(after.size(), 300u);
  EXPECT_EQ(after.back().first, "1299");
}

// Other promises

TEST_F(RepairTest, TheInfoLogSaysWhatWasSavedAndLost) {
  MakeDatabase();
  const std::string table = FileNamesEnding(path_, ".ldb")[0];
  std::string bytes = testkit::ReadFile(path_ + "/" + table);
  bytes[10] = static_cast<char>(bytes[10] ^ 1);
  testkit::WriteFile(path_ + "/" + table, bytes);
  ASSERT_OK(RepairDB(path_, options_));
  EXPECT_NE(InfoLog().find("repair: " + table + ": data block"), std::string::npos) << InfoLog();
  EXPECT_NE(InfoLog().find("repair: done: "), std::string::npos) << InfoLog();
  EXPECT_NE(InfoLog().find("repair: damaged: 1 tables in "), std::string::npos) << InfoLog();
}

TEST_F(RepairTest, AnOpenDatabaseIsRefused) {
  const std::unique_ptr<DB> db = Open();
  EXPECT_TRUE(testkit::Says(RepairDB(path_, options_), "/LOCK: "));
}

TEST_F(RepairTest, InMemory) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  options_.env = env.get();
  const Contents before = MakeDatabase();
  EXPECT_EQ(RepairAndRead(), before);
}

TEST_F(RepairTest, ManyTablesThatOverlapAreMerged) {
  MakeDirectory();
  testkit::Dice dice(testkit::AnnouncedSeed());
  std::map<std::string, std::pair<SequenceNumber, std::string>> model;
  SequenceNumber sequence = 0;
  for (int table = 0; table < 60; table++) {
    std::map<std::string, KeyVersion> versions;
    for (int i = 0; i < 100; i++) {
      const std::string key = "key" + std::to_string(dice.Below(1000));
      versions[key] = {key, ++sequence, dice.OneIn(4) ? kDelete : kPut, ""};
      if (versions[key].type == kPut) versions[key].value = dice.Bytes(dice.Below(2000));
    }
    std::vector<KeyVersion> sorted;
    for (const auto& [key, version] : versions) {
      sorted.push_back(version);
      model[key] = {version.sequence, version.type == kPut ? "=" + version.value : ""};
    }
    // The numbers say nothing about the age.
    WriteTable(std::to_string(100000 + (table * 37) % 60) + ".ldb", sorted);
  }
  Contents expected;
  for (const auto& [key, newest] : model) {
    if (!newest.second.empty()) expected.emplace_back(key, newest.second.substr(1));
  }
  EXPECT_EQ(RepairAndRead(), expected);
}

TEST_F(RepairTest, GoldenDatabasesWithoutTheirManifest) {
  for (const std::string name : {"db0", "db1", "db2", "db3"}) {
    options_.comparator = name == "db3" ? testkit::ReverseComparator() : BytewiseComparator();
    for (const char* missing : {"no file at all", "CURRENT", "MANIFEST"}) {
      testkit::RemoveDir(path_);
      testkit::CopyDir(testkit::TestData("golden/" + name), path_);
      Remove(missing);
      EXPECT_EQ(testkit::DumpText(RepairAndRead()),
                testkit::ReadFile(testkit::TestData("golden/" + name + ".dump")))
          << name << " without " << missing;
    }
  }
}

TEST_F(RepairTest, TheSystemsLevelDBOpensARepairedDatabase) {
  if (!testkit::HaveStockLibrary()) GTEST_SKIP() << "no libleveldb.so.1d";
  const Contents before = MakeDatabase();
  testkit::CopyDir(path_, dir_ / "original");
  for (const char* missing : {"no file at all", "CURRENT", "MANIFEST"}) {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
    Remove(missing);
    ASSERT_OK(RepairDB(path_, options_));
    const testkit::Finished finished =
        testkit::RunDriver(testkit::Library::kStock, {path_, "dump", dir_ / "dump"});
    ASSERT_EQ(finished.code, 0) << finished.output;
    EXPECT_EQ(testkit::ReadFile(dir_ / "dump"), testkit::DumpText(before));
    EXPECT_EQ(Read(), before);
  }
}

}  // namespace
}  // namespace leveldb
