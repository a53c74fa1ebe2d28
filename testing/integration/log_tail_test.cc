// After a crash a log ends in garbage: every open succeeds, even a paranoid one, and loses only the
// garbage. Damage before intact records is a different case.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/store.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kRecords = 200;

class LogTail : public ::testing::TestWithParam<bool> {
 protected:
  // Makes a database with all entries in one log.
  LogTail() {
    options_.create_if_missing = true;
    options_.paranoid_checks = GetParam();
    Open();
    for (int i = 0; i < kRecords; ++i) {
      EXPECT_OK(db_->Put(WriteOptions(), Key(i), std::string(500, 'v')));
    }
    db_.reset();
    const std::vector<std::string> logs = FileNamesEnding(path_, ".log");
    EXPECT_EQ(logs.size(), 1u);
    log_ = path_ + "/" + logs[0];
    bytes_ = ReadFile(log_);
  }

  static std::string Key(int number) {
    char key[16];
    std::snprintf(key, sizeof(key), "key%06d", number);
    return key;
  }

  Status TryOpen() { return OpenPlainly(options_, path_, &db_); }
  void Open() { ASSERT_OK(TryOpen()); }

  // Expects the first `count` entries, now and after another open.
  void ExpectFirst(int count) {
    for (int stage = 0; stage < 2; ++stage) {
      Contents contents;
      ASSERT_OK(ReadContents(db_.get(), &contents));
      ASSERT_EQ(contents.size(), static_cast<size_t>(count));
      if (count > 0) {
        EXPECT_EQ(contents.back().first, Key(count - 1));
      }
      Open();
    }
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "db";
  Options options_;
  std::unique_ptr<DB> db_;
  std::string log_;
  std::string bytes_;
};

TEST_P(LogTail, OfZerosIsNoMatter) {
  for (const size_t zeros : {1u, 6u, 7u, 100u, 32768u, 100000u}) {
    SCOPED_TRACE(zeros);
    const TempDir copy;
    CopyDir(path_, copy / "db");
    WriteFile(copy / ("db" + log_.substr(path_.size())), bytes_ + std::string(zeros, '\0'));
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, copy / "db", &db));
    db_.reset(db);
    Contents contents;
    ASSERT_OK(ReadContents(db, &contents));
    EXPECT_EQ(contents.size(), static_cast<size_t>(kRecords));
  }
}

TEST_P(LogTail, OfGarbageIsNoMatter) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(40); ++round) {
    const TempDir copy;
    CopyDir(path_, copy / "db");
    const size_t length = dice.Between(1, 70000);
    WriteFile(copy / ("db" + log_.substr(path_.size())), bytes_ + dice.Bytes(length));
    DB* db = nullptr;
    ASSERT_OK(DB::Open(options_, copy / "db", &db)) << length << " bytes of garbage";
    db_.reset(db);
    Contents contents;
    ASSERT_OK(ReadContents(db, &contents));
    ASSERT_EQ(contents.size(), static_cast<size_t>(kRecords)) << length << " bytes of garbage";
  }
}

TEST_P(LogTail, CutAnywhereLeavesTheWholeRecords) {
  Dice dice(AnnouncedSeed());
  const size_t record = bytes_.size() / kRecords;
  for (int round = 0; round < Scaled(40); ++round) {
    const size_t length = dice.Below(bytes_.size());
    WriteFile(log_, bytes_.substr(0, length));
    DB* db = nullptr;
    const TempDir copy;
    CopyDir(path_, copy / "db");
    ASSERT_OK(DB::Open(options_, copy / "db", &db)) << "cut to " << length;
    db_.reset(db);
    Contents contents;
    ASSERT_OK(ReadContents(db, &contents));
    // Block headers make records differ by a few bytes: within one of the plain quotient.
    EXPECT_NEAR(static_cast<double>(contents.size()), static_cast<double>(length / record), 1.0);
    for (size_t i = 0; i < contents.size(); ++i) {
      ASSERT_EQ(contents[i].first, Key(static_cast<int>(i)));
    }
  }
}

TEST_P(LogTail, IsNotWrittenBehind) {
  // The next session must not append whole records after the garbage, where they would not be
  // found.
  options_.reuse_logs = true;
  WriteFile(log_, bytes_ + std::string(300, '\x5a'));
  Open();
  ASSERT_OK(db_->Put(WriteOptions(), "later", "value"));
  for (int session = 0; session < 3; ++session) {
    Open();
    std::string value;
    ASSERT_OK(db_->Get(ReadOptions(), "later", &value));
    ASSERT_OK(db_->Get(ReadOptions(), Key(kRecords - 1), &value));
  }
}

TEST_P(LogTail, DamageInTheMiddleIsAnotherMatter) {
  std::string bytes = bytes_;
  bytes[1000] = static_cast<char>(bytes[1000] ^ 0x10);
  WriteFile(log_, bytes);
  const Status status = TryOpen();
  if (options_.paranoid_checks) {
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_TRUE(Says(status, log_)) << status.ToString();
    return;
  }
  // The rest of the damaged block is dropped, the rest of the log is kept.
  ASSERT_OK(status);
  Contents contents;
  ASSERT_OK(ReadContents(db_.get(), &contents));
  EXPECT_GT(contents.size(), static_cast<size_t>(kRecords) / 2);
  EXPECT_LT(contents.size(), static_cast<size_t>(kRecords));
  EXPECT_EQ(contents.back().first, Key(kRecords - 1));
}

TEST_P(LogTail, ZerosInTheMiddleAreDamage) {
  std::string bytes = bytes_;
  bytes.replace(1000, 600, 600, '\0');
  WriteFile(log_, bytes);
  EXPECT_EQ(TryOpen().IsCorruption(), options_.paranoid_checks);
}

TEST_P(LogTail, OfTheManifestMayBeGarbage) {
  db_.reset();
  for (const std::string& name : FileNames(path_)) {
    if (name.find("MANIFEST") == 0) {
      const std::string manifest = path_ + "/" + name;
      WriteFile(manifest, ReadFile(manifest) + std::string(300, '\x33'));
    }
  }
  Open();
  ExpectFirst(kRecords);
}

INSTANTIATE_TEST_SUITE_P(With, LogTail, ::testing::Bool(), [](const auto& paranoid) {
  return paranoid.param ? "ParanoidChecks" : "Defaults";
});

}  // namespace
}  // namespace testkit
}  // namespace leveldb
