// Directories that were merged from two copies which were both written to, or that have logs of
// other sessions: we keep what the system's LevelDB keeps, and a log that is not applied is set
// aside, not removed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entry/batch_cursor.h"
#include "leveldb/db.h"
#include "leveldb/pmem.h"
#include "testing/contents.h"
#include "testing/record_file.h"
#include "testing/status_checks.h"
#include "testing/store.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"
#include "util/coding.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kBaseBatches = 40;

std::string Name(uint64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 6 ? 6 - digits.size() : 0, '0');
  return digits;
}

std::string Put(uint64_t sequence, const std::string& key, const std::string& value) {
  std::string batch;
  AppendFixed64(&batch, sequence);
  AppendFixed32(&batch, 1);
  batch.push_back(1);
  AppendLengthPrefixed(&batch, key);
  AppendLengthPrefixed(&batch, value);
  return batch;
}

class MergedDirectories : public ::testing::TestWithParam<Library> {
 protected:
  void SetUp() override {
    if (GetParam() == Library::kStock && !HaveStockLibrary()) {
      GTEST_SKIP() << "this system has no libleveldb.so.1d of its own (package libleveldb1d)";
    }
    const Finished made = RunDriver(
        GetParam(), {base_, "small", "write", "7", "1", std::to_string(kBaseBatches), "0", "die"});
    ASSERT_EQ(made.code, -9) << made.output;
    const std::vector<std::string> logs = FileNamesEnding(base_, ".log");
    ASSERT_FALSE(logs.empty());
    log_number_ = std::stoull(logs.back());
    const std::vector<std::string> records = ReadRecords(base_ + "/" + logs.back());
    ASSERT_FALSE(records.empty());
    last_sequence_ = BatchSequence(records.back()) + BatchCount(records.back()) - 1;
  }

  std::vector<std::string> Records(const std::string& prefix, int count) const {
    std::vector<std::string> records;
    for (int i = 0; i < count; i++) {
      records.push_back(Put(last_sequence_ + 1 + static_cast<uint64_t>(i),
                            prefix + std::to_string(i), prefix + " value"));
    }
    return records;
  }

  void WriteLog(uint64_t number, const std::vector<std::string>& records) const {
    WriteRecords(base_ + "/" + Name(number) + ".log", records);
  }

  // Moves everything into tables.
  void Flush() const {
    const Finished flushed = RunDriver(GetParam(), {base_, "compact"});
    ASSERT_EQ(flushed.code, 0) << flushed.output;
  }

  // Returns the highest number of all logs and tables.
  uint64_t HighestNumber() const {
    uint64_t number = log_number_;
    for (const std::string& name : FileNames(base_)) {
      if (name.find(".log") != std::string::npos || name.find(".ldb") != std::string::npos) {
        number = std::max<uint64_t>(number, std::stoull(name));
      }
    }
    return number;
  }

  std::string Copy(const std::string& name) const {
    CopyDir(base_, dir_ / name);
    return dir_ / name;
  }

  static Contents Read(const std::string& path) {
    Contents contents;
    std::unique_ptr<DB> db;
    EXPECT_OK(OpenPlainly(Options(), path, &db));
    if (db == nullptr) return contents;
    EXPECT_OK(ReadContents(db.get(), &contents));
    return contents;
  }

  std::string StockDump(const std::string& path) const {
    const Finished dumped = RunDriver(Library::kStock, {path, "dump", dir_ / "dump"});
    EXPECT_EQ(dumped.code, 0) << dumped.output;
    return dumped.code == 0 ? ReadFile(dir_ / "dump") : "";
  }

  // Expects that our library reads what the system's reads, whichever opens the directory first,
  // and after a repair as well.
  void ExpectLikeStock() {
    const Contents ours = Read(Copy("ours"));
    for (const auto& [key, value] : wanted_) {
      ASSERT_TRUE(Has(ours, key, value)) << key;
    }
    const std::string repaired = Copy("repaired");
    ASSERT_OK(RepairDB(repaired, Options()));
    EXPECT_TRUE(Read(repaired) == ours);
    const std::string late = dir_ / "ours";
    ASSERT_OK(RepairDB(late, Options()));
    EXPECT_TRUE(Read(late) == ours);
    if (!HaveStockLibrary()) return;
    EXPECT_EQ(StockDump(Copy("stock")), DumpText(ours));
    EXPECT_TRUE(Read(dir_ / "stock") == ours);
    EXPECT_EQ(StockDump(late), DumpText(ours));
  }

  static bool Has(const Contents& contents, const std::string& key, const std::string& value) {
    return std::find(contents.begin(), contents.end(), Contents::value_type(key, value)) !=
           contents.end();
  }

  void Want(const std::string& prefix, int count) {
    for (int i = 0; i < count; i++) {
      wanted_.emplace_back(prefix + std::to_string(i), prefix + " value");
    }
  }

  const TempDir dir_;
  const std::string base_ = dir_ / "base";
  std::vector<std::pair<std::string, std::string>> wanted_;
  uint64_t log_number_ = 0;
  uint64_t last_sequence_ = 0;
};

TEST_P(MergedDirectories, LogsWithTheSameSequenceNumbersAreAllApplied) {
  WriteLog(log_number_ + 1, Records("of a", 10));
  WriteLog(log_number_ + 2, Records("of b", 20));
  WriteLog(log_number_ + 3, Records("of c", 5));
  Want("of a", 10);
  Want("of b", 20);
  Want("of c", 5);
  ExpectLikeStock();
}

TEST_P(MergedDirectories, OneLogUnderTwoNumbers) {
  WriteLog(log_number_ + 1, Records("of a", 10));
  WriteLog(log_number_ + 4, Records("of a", 10));
  Want("of a", 10);
  ExpectLikeStock();
}

TEST_P(MergedDirectories, OfOneKeyTheLaterLogHasTheNewestVersion) {
  WriteLog(log_number_ + 1,
           {Put(last_sequence_ + 1, "before", "x"), Put(last_sequence_ + 2, "key", "of the first"),
            Put(last_sequence_ + 3, "other", "of the first")});
  WriteLog(log_number_ + 2, {Put(last_sequence_ + 1, "key", "of the second"),
                             Put(last_sequence_ + 3, "other", "of the second")});
  for (const bool repairs : {false, true}) {
    const std::string path = Copy(repairs ? "repaired" : "opened");
    if (repairs) {
      ASSERT_OK(RepairDB(path, Options()));
    }
    const Contents contents = Read(path);
    EXPECT_TRUE(Has(contents, "key", "of the second"));
    EXPECT_TRUE(Has(contents, "other", "of the second"));
    EXPECT_TRUE(Has(contents, "before", "x"));
  }
}

// Such logs come from a store that begins each session at an old sequence number.
TEST_P(MergedDirectories, ALogIsNewerThanTablesWhateverItsNumbers) {
  Flush();
  const Contents before = Read(Copy("before"));
  ASSERT_FALSE(before.empty());
  const std::string key = before.begin()->first;
  WriteLog(HighestNumber() + 1, {Put(1, key, "of the new session"), Put(2, "new key", "as well")});
  for (const bool repairs : {false, true}) {
    const std::string path = Copy(repairs ? "repaired" : "opened");
    if (repairs) {
      ASSERT_OK(RepairDB(path, Options()));
    }
    const Contents contents = Read(path);
    EXPECT_TRUE(Has(contents, key, "of the new session"));
    EXPECT_TRUE(Has(contents, "new key", "as well"));
  }
}

TEST_P(MergedDirectories, ALogThatTheManifestDoesNotAskForIsSetAside) {
  const std::string log = "/" + Name(log_number_) + ".log";
  const std::string flushed_log = ReadFile(base_ + log);
  // Everything is in tables now, and the manifest requires a later log.
  Flush();
  WriteLog(1, Records("foreign", 3));
  const std::string foreign = ReadFile(base_ + "/000001.log");
  // Simulates a crash between a flush and the removal of its log.
  WriteFile(base_ + log, flushed_log);
  const Contents contents = Read(base_);
  EXPECT_FALSE(Has(contents, "foreign0", "foreign value"));
  EXPECT_FALSE(Env::Default()->FileExists(base_ + log));
  EXPECT_EQ(FileNames(base_ + "/lost"), std::vector<std::string>{"000001.log"});
  EXPECT_EQ(ReadFile(base_ + "/lost/000001.log"), foreign);
  EXPECT_NE(ReadFile(base_ + "/LOG").find("it is kept as " + base_ + "/lost/000001.log"),
            std::string::npos);
  std::string report;
  EXPECT_OK(CheckDB(base_, Options(), PmemOptions(), &report));
  EXPECT_NE(report.find("1 files are set aside in " + base_ + "/lost"), std::string::npos)
      << report;
  EXPECT_NE(report.find("bushstore repair " + base_), std::string::npos) << report;
}

// LOG and `bushstore check` say that the log can be moved back and the directory repaired: that
// adds what the database lacks, and replaces nothing that is newer.
TEST_P(MergedDirectories, ALogThatWasSetAsideCanBeBroughtBack) {
  Flush();
  Contents before = Read(Copy("before"));
  ASSERT_FALSE(before.empty());
  // These sequence numbers are used by other writes of the database.
  WriteLog(1, {Put(1, before.front().first, "older"), Put(2, "~foreign", "value")});
  EXPECT_TRUE(Read(base_) == before);
  ASSERT_EQ(FileNames(base_ + "/lost"), std::vector<std::string>{"000001.log"});
  const std::string said = ReadFile(base_ + "/LOG");
  EXPECT_NE(said.find("move this file back and repair it (`bushstore repair " + base_ + "`)"),
            std::string::npos)
      << said;
  ASSERT_OK(Env::Default()->RenameFile(base_ + "/lost/000001.log", base_ + "/000001.log"));
  ASSERT_OK(RepairDB(base_, Options()));
  before.emplace_back("~foreign", "value");
  std::sort(before.begin(), before.end());
  EXPECT_TRUE(Read(base_) == before);
}

// A repair after a crash restores nothing that was deleted.
TEST_P(MergedDirectories, ARepairDoesNotUseALogThatWasFlushed) {
  const std::string log = "/" + Name(log_number_) + ".log";
  const std::string flushed_log = ReadFile(base_ + log);
  Flush();
  const Contents before = Read(Copy("before"));
  WriteFile(base_ + log, flushed_log);
  ASSERT_OK(RepairDB(base_, Options()));
  EXPECT_TRUE(Read(base_) == before);
}

TEST_P(MergedDirectories, WhatCannotBeSetAsideStays) {
  Flush();
  WriteLog(1, Records("foreign", 3));
  WriteFile(base_ + "/lost", "in the way");
  const Contents contents = Read(base_);
  EXPECT_FALSE(contents.empty());
  EXPECT_TRUE(Env::Default()->FileExists(base_ + "/000001.log"));
  EXPECT_NE(ReadFile(base_ + "/LOG").find("it stays where it is"), std::string::npos);
  // The log stays, whatever the database does meanwhile.
  const Finished used = RunDriver(GetParam(), {base_, "close"});
  ASSERT_EQ(used.code, 0) << used.output;
  if (GetParam() == Library::kStock) return;  // it has removed the log
  ASSERT_OK(Env::Default()->RemoveFile(base_ + "/lost"));
  EXPECT_TRUE(Read(base_) == contents);
  EXPECT_EQ(FileNames(base_ + "/lost"), std::vector<std::string>{"000001.log"});
}

TEST_P(MergedDirectories, ADamagedLogIsKeptOnce) {
  Flush();
  WriteLog(1, Records("foreign", 3));
  const uint64_t number = HighestNumber() + 1;
  WriteLog(number, Records("a", 1000));
  const std::string name = Name(number) + ".log";
  const std::string path = base_ + "/" + name;
  std::string bytes = ReadFile(path);
  bytes[bytes.size() / 2] ^= 1;
  WriteFile(path, bytes);
  // A refused open changes nothing.
  Options paranoid;
  paranoid.paranoid_checks = true;
  std::unique_ptr<DB> db;
  EXPECT_TRUE(OpenPlainly(paranoid, base_, &db).IsCorruption());
  EXPECT_FALSE(Env::Default()->FileExists(base_ + "/lost"));
  ASSERT_OK(Env::Default()->RemoveFile(base_ + "/000001.log"));
  // Another file already has the name.
  ASSERT_OK(Env::Default()->CreateDir(base_ + "/lost"));
  WriteFile(base_ + "/lost/" + name, "of another repair");

  EXPECT_TRUE(Has(Read(base_), "a0", "a value"));
  EXPECT_EQ(FileNames(base_ + "/lost").size(), 2u);
  EXPECT_EQ(ReadFile(base_ + "/lost/" + FileNames(base_ + "/lost").back()), bytes);
  EXPECT_NE(ReadFile(base_ + "/LOG").find("damaged and was not applied: it is kept as"),
            std::string::npos);
  // Simulates a crash of that open before it had moved the log.
  WriteFile(path, bytes);
  EXPECT_TRUE(Has(Read(base_), "a0", "a value"));
  EXPECT_EQ(FileNames(base_ + "/lost").size(), 2u);
  EXPECT_FALSE(Env::Default()->FileExists(path));
}

TEST_P(MergedDirectories, ATornEndIsNotKept) {
  WriteLog(log_number_ + 1, Records("a", 100));
  const std::string path = base_ + "/" + Name(log_number_ + 1) + ".log";
  const std::string bytes = ReadFile(path);
  WriteFile(path, bytes.substr(0, bytes.size() - 5));
  EXPECT_TRUE(Has(Read(base_), "a98", "a value"));
  EXPECT_FALSE(Env::Default()->FileExists(base_ + "/lost"));
}

INSTANTIATE_TEST_SUITE_P(MadeBy, MergedDirectories,
                         ::testing::Values(Library::kOurs, Library::kStock), [](const auto& tried) {
                           return tried.param == Library::kOurs ? "Ours" : "Stock";
                         });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
