// Tests whether RepairDB trusts the manifest, and the consequences.

#include "db/open/repair_survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "db/open/repair_test.h"
#include "db/version/version_edit.h"
#include "leveldb/db.h"
#include "testing/comparators.h"
#include "testing/contents.h"
#include "testing/fault_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Contents;
using testkit::FileNamesEnding;

class RepairSurveyTest : public RepairTest {};

TEST_F(RepairSurveyTest, AHealthyDatabaseKeepsItsLevelsAndItsTables) {
  MakeDatabase();
  Contents before;
  std::string levels;
  {
    const std::unique_ptr<DB> db = Open();
    db->CompactRange(nullptr, nullptr);  // so that no compaction changes the levels later
    ASSERT_OK(db->Put(WriteOptions(), "new", "of level 0"));
  }
  {
    const std::unique_ptr<DB> db = Open();  // flushes the log
    levels = Levels(db.get());
    ASSERT_OK(testkit::ReadContents(db.get(), &before));
  }
  const std::vector<std::string> tables = FileNamesEnding(path_, ".ldb");
  EXPECT_EQ(Doubt(), "");
  ASSERT_OK(RepairDB(path_, options_));
  EXPECT_EQ(FileNamesEnding(path_, ".ldb"), tables);
  options_.reuse_logs = true;
  EXPECT_EQ(Levels(Open().get()), levels);
  EXPECT_EQ(Read(), before);
}

TEST_F(RepairSurveyTest, ATableThatIsNoPartOfTheDatabaseDoesNotBringKeysBack) {
  {
    const std::unique_ptr<DB> db = Open();
    ASSERT_OK(db->Put(WriteOptions(), "deleted", "x"));
    ASSERT_OK(db->Delete(WriteOptions(), "deleted"));
    ASSERT_OK(db->Put(WriteOptions(), "kept", "y"));
    db->CompactRange(nullptr, nullptr);
  }
  // As after a crash between a compaction and the removal of its inputs.
  WriteTable("000001.ldb", {{"deleted", 1, kPut, "x"}});
  WriteLog("000002.log", {Batch(1, "deleted", "x")});
  EXPECT_EQ(Doubt(), "");
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}}));
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".ldb"), std::vector<std::string>{"000001.ldb"});
}

TEST_F(RepairSurveyTest, AManifestThatWasCutIsNotBelievedAndNothingIsLost) {
  const Contents before = MakeDatabase();
  testkit::CopyDir(path_, dir_ / "original");
  const std::string manifest = ManifestPath();
  const std::string bytes = testkit::ReadFile(manifest);
  const size_t step = std::max<size_t>(1, bytes.size() / testkit::Scaled(40));
  for (size_t size = 0; size < bytes.size(); size += step) {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
    testkit::WriteFile(manifest, bytes.substr(0, size));
    ASSERT_EQ(RepairAndRead(), before) << size << " of " << bytes.size();
  }
}

TEST_F(RepairSurveyTest, DoubtsHaveReasons) {
  MakeDatabase();
  ASSERT_EQ(Doubt(), "");
  testkit::CopyDir(path_, dir_ / "original");
  const auto restore = [this] {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
  };
  WriteTable("000999.ldb", {{"a", 1, kPut, ""}});
  EXPECT_NE(Doubt().find("000999.ldb is newer than MANIFEST-"), std::string::npos) << Doubt();
  restore();
  Remove(FileNamesEnding(path_, ".ldb")[0]);
  EXPECT_NE(Doubt().find("tables that are missing"), std::string::npos) << Doubt();
  restore();
  Remove(".log");
  EXPECT_NE(Doubt().find("a log that is missing"), std::string::npos) << Doubt();
  restore();
  testkit::WriteFile(ManifestPath(), testkit::ReadFile(ManifestPath()) + "garbage");
  EXPECT_NE(Doubt().find("damaged tail"), std::string::npos) << Doubt();
  restore();
  testkit::WriteFile(path_ + "/CURRENT", "nonsense");
  EXPECT_EQ(Doubt(), "");
}

// A database in which a key was deleted, with the files that a crash leaves, and whose manifest
// lacks its last edits afterwards.
class UnremovedTest : public RepairSurveyTest {
 protected:
  UnremovedTest() {
    const std::unique_ptr<DB> db = Open();
    EXPECT_OK(db->Put(WriteOptions(), "deleted", "x"));
    log_ = FileNamesEnding(path_, ".log").at(0);
    log_bytes_ = testkit::ReadFile(path_ + "/" + log_);
    db->CompactRange(nullptr, nullptr);
    table_ = FileNamesEnding(path_, ".ldb").at(0);
    table_bytes_ = testkit::ReadFile(path_ + "/" + table_);
    EXPECT_OK(db->Delete(WriteOptions(), "deleted"));
    EXPECT_OK(db->Put(WriteOptions(), "kept", "y"));
    db->CompactRange(nullptr, nullptr);
  }

  // Restores the input of a compaction, and a log that was flushed.
  void LeaveBehind() {
    testkit::WriteFile(path_ + "/" + table_, table_bytes_);
    testkit::WriteFile(path_ + "/" + log_, log_bytes_);
    EXPECT_EQ(Doubt(), "");
  }

  // Adds a table of a job that took its number before the last edit was written, and whose own edit
  // is lost.
  void AddNewerTable() {
    WriteTable("000999.ldb", {{"new", 100, kPut, "z"}});
    VersionEdit last;
    last.SetNextFile(1000);
    AppendToManifest(last);
  }

  void ExpectSetAside() {
    EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".ldb"), std::vector<std::string>{table_});
  }

  std::string log_, log_bytes_, table_, table_bytes_;
};

TEST_F(UnremovedTest, NewerTablesAreToldByTheNumberAtWhichTheManifestBegins) {
  LeaveBehind();
  AddNewerTable();
  EXPECT_NE(Doubt().find("000999.ldb is newer than MANIFEST-"), std::string::npos) << Doubt();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}, {"new", "z"}}));
  ExpectSetAside();
}

TEST_F(UnremovedTest, ATornTailBringsNothingBack) {
  LeaveBehind();
  testkit::WriteFile(ManifestPath(), testkit::ReadFile(ManifestPath()) + "garbage");
  EXPECT_NE(Doubt().find("damaged tail"), std::string::npos) << Doubt();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}}));
  ExpectSetAside();
}

TEST_F(UnremovedTest, AMissingLogBringsNothingBack) {
  LeaveBehind();
  for (const std::string& name : FileNamesEnding(path_, ".log")) {
    if (name != log_) Remove(name);
  }
  EXPECT_NE(Doubt().find("a log that is missing"), std::string::npos) << Doubt();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}}));
  ExpectSetAside();
}

TEST_F(UnremovedTest, TablesFromBeforeTheManifestBringNothingBack) {
  Open().reset();  // begins another manifest
  LeaveBehind();
  AddNewerTable();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}, {"new", "z"}}));
  ExpectSetAside();
}

// If data may be lost, old files are used completely, because old data is better than none.
TEST_F(UnremovedTest, ALogIsBetterThanATableThatIsMissing) {
  Remove(".ldb");
  testkit::WriteFile(path_ + "/" + log_, log_bytes_);
  AddNewerTable();  // an unfinished compaction also leaves such a table
  EXPECT_EQ(RepairAndRead(), (Contents{{"deleted", "x"}, {"new", "z"}}));
}

TEST_F(UnremovedTest, WhatIsOldIsBetterThanATableThatIsDamaged) {
  LeaveBehind();
  for (const std::string& name : FileNamesEnding(path_, ".ldb")) {
    if (name == table_) continue;
    testkit::WriteFile(path_ + "/" + name,
                       std::string(testkit::ReadFile(path_ + "/" + name).size(), '\0'));
  }
  testkit::WriteFile(ManifestPath(), testkit::ReadFile(ManifestPath()) + "garbage");
  EXPECT_EQ(RepairAndRead(), (Contents{{"deleted", "x"}}));
}

TEST_F(UnremovedTest, WhatIsOldNeedNotBeReadable) {
  LeaveBehind();
  AddNewerTable();
  testkit::CopyDir(path_, dir_ / "original");
  for (const std::string& name : {table_, log_}) {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
    testkit::FaultEnv env(Env::Default());
    testkit::Fault fault;
    fault.call = testkit::Call::kOpenToRead;
    fault.lasting = true;
    fault.only_names_with = name;
    env.Inject(fault);
    options_.env = &env;
    EXPECT_OK(RepairDB(path_, options_)) << name;
    EXPECT_GT(env.failures(), 0u);
    EXPECT_NE(InfoLog().find(name + ": IO error"), std::string::npos) << InfoLog();
    options_.env = Env::Default();
    EXPECT_EQ(Read(), (Contents{{"kept", "y"}, {"new", "z"}}));
  }
}

TEST_F(UnremovedTest, OldTablesAreBetterThanNone) {
  Remove(".ldb");
  testkit::WriteFile(path_ + "/" + table_, table_bytes_);
  EXPECT_NE(Doubt().find("tables that are missing"), std::string::npos) << Doubt();
  EXPECT_EQ(RepairAndRead(), (Contents{{"deleted", "x"}}));
}

TEST_F(UnremovedTest, SeveralFilesOfOneNumberAreSetAsideTogether) {
  LeaveBehind();
  const std::string legacy = table_.substr(0, table_.size() - 3) + "sst";
  testkit::WriteFile(path_ + "/" + legacy, table_bytes_);
  AddNewerTable();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}, {"new", "z"}}));
  ExpectSetAside();
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".sst"), std::vector<std::string>{legacy});
}

TEST_F(UnremovedTest, AMovedTableStays) {
  const std::string table = FileNamesEnding(path_, ".ldb").at(0);
  uint64_t size = 0;
  ASSERT_OK(options_.env->GetFileSize(path_ + "/" + table, &size));
  const uint64_t number = std::stoull(table);
  InternalKey smallest("kept", 3, kTypeValue);
  for (const int level : {0, 5}) {  // at whichever level it is
    VersionEdit move;
    for (int from = 0; from < 7; from++) move.RemoveFile(from, number);
    move.AddFile(level, number, size, smallest, smallest);
    AppendToManifest(move);
  }
  EXPECT_EQ(Doubt(), "");
  AddNewerTable();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}, {"new", "z"}}));
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".ldb"), std::vector<std::string>());
}

// The state after a crash just after a compaction whose edit the manifest has lost: a value that is
// still named, and was deleted. The table that it was merged with is gone, together with the
// deletion; but the deletion is also in the input that was compacted to that table before.
class LostCompactionTest : public RepairSurveyTest {
 protected:
  LostCompactionTest() {
    Open().reset();
    WriteTable("000900.ldb", {{"deleted", 5, kPut, "x"}});
    WriteTable("000904.ldb", {{"kept", 6, kPut, "y"}});  // by the lost edit
    VersionEdit first;
    const InternalKey value("deleted", 5, kTypeValue);
    first.AddFile(3, 900, Size("000900.ldb"), value, value);
    first.SetNextFile(904);
    AppendToManifest(first);
  }

  uint64_t Size(const std::string& name) const {
    return testkit::ReadFile(path_ + "/" + name).size();
  }

  // Appends valid edits that name the table and drop it again; with `compacted`, in favor of
  // another table that is missing.
  void GiveUpTable901(bool compacted) {
    VersionEdit edits[2];
    edits[0].AddFile(0, 901, Size("000901.ldb"), deletion_, deletion_);
    edits[1].RemoveFile(0, 901);
    if (compacted) edits[1].AddFile(2, 902, 1000, deletion_, deletion_);
    for (const VersionEdit& edit : edits) AppendToManifest(edit);
  }

  const InternalKey deletion_{"deleted", 9, kTypeDeletion};
};

TEST_F(LostCompactionTest, DeletionsInATableThatWasCompactedStillHide) {
  WriteTable("000901.ldb", {{"deleted", 9, kDelete, ""}, {"other", 4, kPut, "was deleted"}});
  GiveUpTable901(/*compacted=*/true);
  EXPECT_NE(Doubt().find("000904.ldb is newer than MANIFEST-"), std::string::npos) << Doubt();
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}}));
}

// The log may have been flushed to the missing table: it is not known whether its contents are
// lost.
TEST_F(LostCompactionTest, ALogCountsWhereATableIsMissing) {
  WriteLog("000899.log", {Batch(4, "other", "z"), Deletion(9, "deleted")});
  WriteLog("000903.log", {});
  VersionEdit flush;
  flush.SetLogNumber(903);
  flush.AddFile(0, 902, 1000, deletion_, deletion_);
  AppendToManifest(flush);
  EXPECT_EQ(RepairAndRead(), (Contents{{"kept", "y"}, {"other", "z"}}));
}

TEST_F(LostCompactionTest, WhatIsWrittenLaterIsNewerThanADeletionThatWasTaken) {
  WriteTable("000901.ldb", {{"deleted", 9, kDelete, ""}});
  GiveUpTable901(/*compacted=*/false);
  ASSERT_OK(RepairDB(path_, options_));
  const std::unique_ptr<DB> db = Open();
  ASSERT_OK(db->Put(WriteOptions(), "deleted", "anew"));
  // If the deletion had got a later number, it would be visible by now, and hide the value in the
  // tables.
  for (int i = 0; i < 10; i++) ASSERT_OK(db->Put(WriteOptions(), "other", "x"));
  db->CompactRange(nullptr, nullptr);
  std::string value;
  EXPECT_OK(db->Get(ReadOptions(), "deleted", &value));
}

TEST_F(RepairSurveyTest, TheWrongComparatorIsRefused) {
  MakeDatabase();
  const std::vector<std::string> names = testkit::FileNames(path_);
  options_.comparator = testkit::ReverseComparator();
  EXPECT_TRUE(testkit::Says(RepairDB(path_, options_), "comparator"));
  options_.comparator = BytewiseComparator();
  EXPECT_EQ(Doubt(), "");
  EXPECT_FALSE(Env::Default()->FileExists(path_ + "/lost"));
}

}  // namespace
}  // namespace leveldb
