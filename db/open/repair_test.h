// A fixture for the tests of repairs: databases to repair, built by hand or by the store.
#ifndef BUSHSTORE_DB_OPEN_REPAIR_TEST_H_
#define BUSHSTORE_DB_OPEN_REPAIR_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/open/repair_survey.h"
#include "db/version/version_edit.h"
#include "entry/internal_key.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/table_builder.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/record_file.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "util/coding.h"

namespace leveldb {

constexpr ValueType kPut = kTypeValue;
constexpr ValueType kDelete = kTypeDeletion;

struct KeyVersion {
  std::string user_key;
  SequenceNumber sequence;
  ValueType type;
  std::string value;
};

class RepairTest : public ::testing::Test {
 protected:
  RepairTest() {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
  }

  std::unique_ptr<DB> Open() {
    DB* opened = nullptr;
    Options options = options_;
    options.create_if_missing = create_;
    EXPECT_OK(DB::Open(options, path_, &opened));
    return std::unique_ptr<DB>(opened);
  }

  testkit::Contents Read() {
    testkit::Contents contents;
    const std::unique_ptr<DB> db = Open();
    if (db != nullptr) {
      EXPECT_OK(testkit::ReadContents(db.get(), &contents));
    }
    return contents;
  }

  // Repairs the database, and reads it without create_if_missing.
  testkit::Contents RepairAndRead() {
    EXPECT_OK(RepairDB(path_, options_));
    create_ = false;
    return Read();
  }

  // Creates a database with several levels, several tables in level 0, a log, and deleted and
  // overwritten keys in all of them.
  testkit::Contents MakeDatabase() {
    testkit::Dice dice(4711);
    const std::unique_ptr<DB> db = Open();
    for (int i = 0; i < 3000; i++) {
      const std::string key = "key" + std::to_string(dice.Below(800));
      if (dice.OneIn(4)) {
        EXPECT_OK(db->Delete(WriteOptions(), key));
      } else {
        EXPECT_OK(db->Put(WriteOptions(), key, std::to_string(i) + dice.Bytes(dice.Below(300))));
      }
      if (i == 1000) db->CompactRange(nullptr, nullptr);
    }
    testkit::Contents contents;
    EXPECT_OK(testkit::ReadContents(db.get(), &contents));
    return contents;
  }

  // Writes a table by hand. Versions must be in order.
  void WriteTable(const std::string& name, const std::vector<KeyVersion>& versions) {
    const InternalKeyComparator comparator(options_.comparator);
    Options options = options_;
    options.comparator = &comparator;
    WritableFile* opened = nullptr;
    ASSERT_OK(options_.env->NewWritableFile(path_ + "/" + name, &opened));
    const std::unique_ptr<WritableFile> file(opened);
    TableBuilder builder(options, file.get());
    for (const KeyVersion& version : versions) {
      std::string key;
      AppendInternalKey(&key, version.user_key, version.sequence, version.type);
      builder.Add(key, version.value);
    }
    ASSERT_OK(builder.Finish());
    ASSERT_OK(file->Close());
  }

  // Writes a log by hand.
  void WriteLog(const std::string& name, const std::vector<std::string>& records) {
    testkit::WriteRecords(path_ + "/" + name, records);
  }

  // Returns a batch of one deletion.
  static std::string Deletion(SequenceNumber sequence, const std::string& key) {
    return BatchOfOne(sequence, kDelete, key);
  }

  // Returns a batch of one put.
  static std::string Batch(SequenceNumber sequence, const std::string& key,
                           const std::string& value) {
    std::string batch = BatchOfOne(sequence, kPut, key);
    AppendLengthPrefixed(&batch, value);
    return batch;
  }

  void MakeDirectory() { ASSERT_OK(options_.env->CreateDir(path_)); }

  void Remove(const std::string& part_of_name) {
    for (const std::string& name : testkit::FileNames(path_)) {
      if (name.find(part_of_name) != std::string::npos) {
        ASSERT_OK(options_.env->RemoveFile(path_ + "/" + name));
      }
    }
  }

  std::string ManifestPath() const {
    std::string current = testkit::ReadFile(path_ + "/CURRENT");
    current.pop_back();
    return path_ + "/" + current;
  }

  void AppendToManifest(const VersionEdit& edit) {
    std::vector<std::string> records = testkit::ReadRecords(ManifestPath());
    edit.EncodeTo(&records.emplace_back());
    testkit::WriteRecords(ManifestPath(), records);
  }

  std::string Doubt() {
    const InternalKeyComparator comparator(options_.comparator);
    RepairSurvey survey;
    EXPECT_OK(SurveyDirectory(options_.env, path_, comparator, &survey));
    return survey.doubt;
  }

  static std::string Levels(DB* db) {
    std::string text;
    for (int level = 0; level < 7; level++) {
      std::string count;
      EXPECT_TRUE(db->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &count));
      text += count + " ";
    }
    return text;
  }

  std::string InfoLog() const { return testkit::ReadFile(path_ + "/LOG"); }

  const testkit::TempDir dir_;
  const std::string path_ = dir_ / "db";
  Options options_;
  bool create_ = true;

 private:
  static std::string BatchOfOne(SequenceNumber sequence, ValueType type, const std::string& key) {
    std::string batch;
    AppendFixed64(&batch, sequence);
    AppendFixed32(&batch, 1);
    batch.push_back(static_cast<char>(type));
    AppendLengthPrefixed(&batch, key);
    return batch;
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_TEST_H_
