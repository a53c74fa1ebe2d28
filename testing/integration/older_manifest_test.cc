// A manifest that was restored, or whose end was zeroed, ends with an older edit, and is sound by
// itself. If its log is missing while newer files exist, a crash cannot have left this.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/version/version_edit.h"
#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/record_file.h"
#include "testing/status_checks.h"
#include "testing/store.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class OlderManifest : public ::testing::Test {
 protected:
  // Keeps the manifest, and then adds one more flush and a log.
  OlderManifest() {
    options_.create_if_missing = true;
    options_.reuse_logs = true;
    options_.write_buffer_size = 64 << 10;
    Open();
    EXPECT_OK(db_->Put(WriteOptions(), "before", "the flush"));
    db_.reset();
    for (const std::string& name : FileNames(path_)) {
      if (name.find("MANIFEST") == 0) manifest_ = path_ + "/" + name;
    }
    older_ = ReadFile(manifest_);
    Open();
    for (int i = 0; i < 300; ++i) {
      EXPECT_OK(db_->Put(WriteOptions(), "key" + std::to_string(i), std::string(300, 'v')));
    }
    const Slice beyond("\xff");
    db_->CompactRange(&beyond, &beyond);
    EXPECT_OK(db_->Put(WriteOptions(), "after", "the flush"));
    EXPECT_OK(ReadContents(db_.get(), &contents_));
    db_.reset();
    newer_ = ReadFile(manifest_);
    EXPECT_EQ(newer_.compare(0, older_.size(), older_), 0) << "the manifest was begun anew";
    EXPECT_GT(newer_.size(), older_.size());
  }

  Status TryOpen() { return OpenPlainly(options_, path_, &db_); }
  void Open() { ASSERT_OK(TryOpen()); }

  void ExpectRefusedAndRepaired() {
    const Status status = TryOpen();
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_TRUE(Says(status, "the manifest is older than other files")) << status.ToString();
    EXPECT_TRUE(Says(status, "RepairDB (`bushstore repair " + path_ + "`)")) << status.ToString();
    EXPECT_TRUE(Says(status, path_)) << status.ToString();
    ASSERT_OK(RepairDB(path_, options_));
    Open();
    Contents repaired;
    ASSERT_OK(ReadContents(db_.get(), &repaired));
    EXPECT_TRUE(repaired == contents_) << repaired.size() << " entries";
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "db";
  Options options_;
  std::unique_ptr<DB> db_;
  std::string manifest_;
  std::string older_;
  std::string newer_;
  Contents contents_;
};

TEST_F(OlderManifest, PutBackIsRefused) {
  WriteFile(manifest_, older_);
  ExpectRefusedAndRepaired();
}

TEST_F(OlderManifest, ZeroedFromThereOnIsRefused) {
  WriteFile(manifest_, older_ + std::string(newer_.size() - older_.size(), '\0'));
  ExpectRefusedAndRepaired();
}

// Concurrent jobs take their numbers before they write their edits.
TEST_F(OlderManifest, PutBackIsRefusedIfItKnowsLaterNumbers) {
  WriteFile(manifest_, older_);
  std::vector<std::string> records = ReadRecords(manifest_);
  VersionEdit of_another_job;
  of_another_job.SetNextFile(1000);
  of_another_job.EncodeTo(&records.emplace_back());
  WriteRecords(manifest_, records);
  ExpectRefusedAndRepaired();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
