#include "db/state/unsynced_logs.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {
namespace {

// Records its calls in a shared journal.
class JournalFile final : public WritableFile {
 public:
  JournalFile(std::string name, std::string* journal, bool sync_fails = false)
      : name_(std::move(name)), journal_(journal), sync_fails_(sync_fails) {}
  ~JournalFile() override { *journal_ += "~" + name_ + " "; }

  Status Append(const Slice&) override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override {
    if (sync_fails_) return Status::IOError(name_, "no sync");
    *journal_ += "sync " + name_ + " ";
    return Status::OK();
  }
  Status Close() override {
    *journal_ += "close " + name_ + " ";
    return Status::OK();
  }

 private:
  const std::string name_;
  std::string* const journal_;
  const bool sync_fails_;
};

TEST(UnsyncedLogsTest, SyncsOldestFirstAndOnlyOnce) {
  std::string journal;
  UnsyncedLogs logs;
  logs.Add(3, std::make_unique<JournalFile>("three", &journal));
  logs.Add(5, std::make_unique<JournalFile>("five", &journal));
  ASSERT_TRUE(logs.SyncAll().ok());
  EXPECT_EQ("sync three close three ~three sync five close five ~five ", journal);
  journal.clear();
  ASSERT_TRUE(logs.SyncAll().ok());
  EXPECT_EQ("", journal);
}

TEST(UnsyncedLogsTest, FlushedLogsAreDroppedWithoutASync) {
  std::string journal;
  UnsyncedLogs logs;
  logs.Add(3, std::make_unique<JournalFile>("three", &journal));
  logs.Add(5, std::make_unique<JournalFile>("five", &journal));
  logs.DropBelow(5);
  EXPECT_EQ("~three ", journal);
  journal.clear();
  ASSERT_TRUE(logs.SyncAll().ok());
  EXPECT_EQ("sync five close five ~five ", journal);
}

TEST(UnsyncedLogsTest, AFailedSyncIsReportedEveryTime) {
  std::string journal;
  UnsyncedLogs logs;
  logs.Add(3, std::make_unique<JournalFile>("three", &journal, /*sync_fails=*/true));
  EXPECT_TRUE(logs.SyncAll().IsIOError());
  EXPECT_TRUE(logs.SyncAll().IsIOError());
  EXPECT_EQ("", journal);
}

}  // namespace
}  // namespace leveldb
