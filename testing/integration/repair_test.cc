// RepairDB makes a database from everything that is intact.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class Repair : public ::testing::Test {
 protected:
  // Makes a database with tables at several levels and an unflushed log: "table..." keys are in
  // tables, "log..." keys are in the log only, and "both" was overwritten in the log.
  Repair() {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options_, path_, &db));
    db_.reset(db);
    for (int i = 0; i < 300; ++i) {
      EXPECT_OK(db_->Put(WriteOptions(), "table" + std::to_string(i), std::string(1000, 't')));
      EXPECT_OK(db_->Put(WriteOptions(), "deleted" + std::to_string(i), "back from the dead"));
      if (i == 200) {
        db_->CompactRange(nullptr, nullptr);
      }
    }
    EXPECT_OK(db_->Put(WriteOptions(), "both", "old"));
    for (int i = 0; i < 300; ++i) {
      EXPECT_OK(db_->Delete(WriteOptions(), "deleted" + std::to_string(i)));
    }
    db_->CompactRange(nullptr, nullptr);
    for (int i = 0; i < 10; ++i) {
      EXPECT_OK(db_->Put(WriteOptions(), "log" + std::to_string(i), "l"));
    }
    EXPECT_OK(db_->Put(WriteOptions(), "both", "new"));
    EXPECT_OK(ReadContents(db_.get(), &before_));
    db_.reset();
  }

  void RepairAndOpen() {
    ASSERT_OK(RepairDB(path_, options_));
    Open();
  }

  void Open() {
    db_.reset();
    DB* db = nullptr;
    Options options = options_;
    options.create_if_missing = false;
    ASSERT_OK(DB::Open(options, path_, &db));
    db_.reset(db);
  }

  void ExpectEverything() {
    Contents after;
    ASSERT_OK(ReadContents(db_.get(), &after));
    EXPECT_TRUE(after == before_) << after.size() << " entries, not " << before_.size();
  }

  void Remove(const std::string& suffix_or_prefix) {
    for (const std::string& name : FileNames(path_)) {
      if (name.find(suffix_or_prefix) != std::string::npos) {
        std::remove((path_ + "/" + name).c_str());
      }
    }
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "db";
  Options options_;
  std::unique_ptr<DB> db_;
  Contents before_;
};

TEST_F(Repair, OfAHealthyDatabaseLosesNothing) {
  RepairAndOpen();
  ExpectEverything();
  Open();
  ExpectEverything();
}

TEST_F(Repair, WithoutTheManifestLosesNothing) {
  Remove("MANIFEST");
  RepairAndOpen();
  ExpectEverything();
}

TEST_F(Repair, WithoutCurrentAndManifestAndTwiceLosesNothing) {
  Remove("MANIFEST");
  Remove("CURRENT");
  ASSERT_OK(RepairDB(path_, options_));
  RepairAndOpen();
  ExpectEverything();
}

TEST_F(Repair, OfADamagedManifestLosesNothing) {
  for (const std::string& name : FileNames(path_)) {
    if (name.find("MANIFEST") == 0) {
      std::string bytes = ReadFile(path_ + "/" + name);
      bytes[10] = static_cast<char>(bytes[10] ^ 0x40);
      WriteFile(path_ + "/" + name, bytes);
    }
  }
  RepairAndOpen();
  ExpectEverything();
}

TEST_F(Repair, KeepsTheTablesWhenTheLogIsGone) {
  Remove(".log");
  Remove("MANIFEST");
  RepairAndOpen();
  std::string value;
  EXPECT_OK(db_->Get(ReadOptions(), "table17", &value));
  EXPECT_OK(db_->Get(ReadOptions(), "both", &value));
  EXPECT_EQ(value, "old");
  EXPECT_TRUE(db_->Get(ReadOptions(), "log1", &value).IsNotFound());
  EXPECT_TRUE(db_->Get(ReadOptions(), "deleted17", &value).IsNotFound());
}

TEST_F(Repair, KeepsTheLogWhenTheTablesAreGone) {
  Remove(".ldb");
  RepairAndOpen();
  Contents after;
  ASSERT_OK(ReadContents(db_.get(), &after));
  ASSERT_EQ(after.size(), 11u);
  EXPECT_EQ(after[0], std::make_pair(std::string("both"), std::string("new")));
}

TEST_F(Repair, SetsADestroyedTableAside) {
  const std::vector<std::string> tables = FileNamesEnding(path_, ".ldb");
  ASSERT_FALSE(tables.empty());
  WriteFile(path_ + "/" + tables[0], std::string(5000, 'x'));
  RepairAndOpen();
  std::string value;
  EXPECT_OK(db_->Get(ReadOptions(), "log1", &value));
  EXPECT_EQ(FileNamesEnding(path_ + "/lost", ".ldb"), std::vector<std::string>{tables[0]});
}

TEST_F(Repair, SavesTheIntactBlocksOfADamagedTable) {
  const std::vector<std::string> tables = FileNamesEnding(path_, ".ldb");
  for (const std::string& name : tables) {
    std::string bytes = ReadFile(path_ + "/" + name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    WriteFile(path_ + "/" + name, bytes);
  }
  Remove("MANIFEST");
  options_.paranoid_checks = true;
  RepairAndOpen();
  std::string value;
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const Status status = db_->Get(ReadOptions(), "table" + std::to_string(i), &value);
    if (status.ok()) {
      EXPECT_EQ(value, std::string(1000, 't'));
      ++found;
    }
  }
  // A block of 4 KiB holds many of these entries, which compress to about 50 bytes.
  EXPECT_GT(found, 0);
  EXPECT_LT(found, 300);
  EXPECT_OK(db_->Get(ReadOptions(), "log1", &value));
}

TEST_F(Repair, OfADamagedLogSavesTheRestOfIt) {
  const std::vector<std::string> logs = FileNamesEnding(path_, ".log");
  ASSERT_EQ(logs.size(), 1u);
  std::string bytes = ReadFile(path_ + "/" + logs[0]);
  bytes.resize(bytes.size() - 3);  // in the last record, which overwrites "both"
  WriteFile(path_ + "/" + logs[0], bytes);
  RepairAndOpen();
  std::string value;
  EXPECT_OK(db_->Get(ReadOptions(), "log9", &value));
  EXPECT_OK(db_->Get(ReadOptions(), "both", &value));
  EXPECT_EQ(value, "old");
}

TEST_F(Repair, OfAnOpenDatabaseIsRefused) {
  Open();
  EXPECT_TRUE(Says(RepairDB(path_, options_), "/LOCK: "));
  ExpectEverything();
}

TEST_F(Repair, OfNothingSaysSo) {
  EXPECT_FALSE(RepairDB(dir_ / "no/such/database", options_).ok());
}

TEST_F(Repair, LeavesForeignFilesAlone) {
  WriteFile(path_ + "/notes.txt", "mine");
  RepairAndOpen();
  EXPECT_EQ(ReadFile(path_ + "/notes.txt"), "mine");
  ExpectEverything();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
