// Tests that the numbers of a manifest are checked before they are used.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "db/files/filename.h"
#include "db/version/level_limits.h"
#include "db/version/obsolete_files.h"
#include "db/version/version_set.h"
#include "filelog/log_writer.h"
#include "leveldb/helpers/memenv.h"
#include "port/mutex.h"

namespace leveldb {
namespace {

class CountersTest : public testing::Test {
 protected:
  CountersTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    EXPECT_TRUE(NewSet()->CreateFresh().ok());
  }

  std::unique_ptr<VersionSet> NewSet() {
    return std::make_unique<VersionSet>("/db", &options_, &comparator_, &obsolete_files_);
  }

  // Adds an edit to the manifest without the version set.
  void Forge(const std::function<void(VersionEdit*)>& fill) {
    VersionEdit edit;
    fill(&edit);
    std::string record;
    edit.EncodeTo(&record);
    const std::string path = ManifestFileName("/db", 1);
    uint64_t size = 0;
    ASSERT_TRUE(env_->GetFileSize(path, &size).ok());
    WritableFile* file = nullptr;
    ASSERT_TRUE(env_->NewAppendableFile(path, &file).ok());
    const std::unique_ptr<WritableFile> owned(file);
    ASSERT_TRUE(LogWriter(file, size).AddRecord(record).ok());
    ASSERT_TRUE(file->Close().ok());
  }

  Status Recover(VersionSet* set) {
    bool reused;
    return set->Recover(&reused);
  }

  const std::unique_ptr<Env> env_;
  const InternalKeyComparator comparator_{BytewiseComparator()};
  ObsoleteFiles obsolete_files_;
  Options options_;
};

TEST_F(CountersTest, SequencesBeyondTheirRangeAreRefused) {
  Forge([](VersionEdit* edit) { edit->SetLastSequence(kMaxSequenceNumber); });
  EXPECT_TRUE(Recover(NewSet().get()).ok());
  Forge([](VersionEdit* edit) { edit->SetLastSequence(kMaxSequenceNumber + 1); });
  EXPECT_TRUE(Recover(NewSet().get()).IsCorruption());
}

TEST_F(CountersTest, FileNumbersThatWouldWrapAroundAreRefused) {
  Forge([](VersionEdit* edit) { edit->SetLogNumber(kMaxFileNumber + 1); });
  EXPECT_TRUE(Recover(NewSet().get()).IsCorruption());
  Forge([](VersionEdit* edit) { edit->SetLogNumber(2); });
  EXPECT_TRUE(Recover(NewSet().get()).ok());
  Forge([](VersionEdit* edit) { edit->SetNextFile(~uint64_t{0}); });
  EXPECT_TRUE(Recover(NewSet().get()).IsCorruption());
}

TEST_F(CountersTest, TheLogNumberNeverGoesBack) {
  const std::unique_ptr<VersionSet> set = NewSet();
  ASSERT_TRUE(Recover(set.get()).ok());
  Mutex mutex;
  uint64_t numbers[] = {set->NewFileNumber(), set->NewFileNumber()};
  // The second edit was made before the first one was written.
  for (const uint64_t number : {numbers[1], numbers[0]}) {
    VersionEdit edit;
    edit.SetLogNumber(number);
    MutexLock lock(&mutex);
    ASSERT_TRUE(set->LogAndApply(&edit, &mutex).ok());
    EXPECT_EQ(numbers[1], set->LogNumber());
  }
  const std::unique_ptr<VersionSet> again = NewSet();
  ASSERT_TRUE(Recover(again.get()).ok());
  EXPECT_EQ(numbers[1], again->LogNumber());
}

TEST_F(CountersTest, NumbersInUseAreNotGivenOutAgain) {
  Forge([](VersionEdit* edit) {
    edit->AddFile(1, 77, 100, InternalKey("a", 1, kTypeValue), InternalKey("b", 1, kTypeValue));
    edit->SetNextFile(1);
  });
  const auto set = NewSet();
  ASSERT_TRUE(Recover(set.get()).ok());
  EXPECT_GT(set->NewFileNumber(), 77u);
}

}  // namespace
}  // namespace leveldb
