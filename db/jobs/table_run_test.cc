#include "db/jobs/table_run.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/files/table_cache.h"
#include "db/version/internal_key_order.h"
#include "entry/internal_key.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Counts the files that have been synced. The sync with the number `failing_sync` (from 1 on)
// fails.
class SyncCountingEnv final : public EnvWrapper {
 public:
  explicit SyncCountingEnv(Env* target) : EnvWrapper(target) {}

  Status NewWritableFile(const std::string& path, WritableFile** file) override {
    if (open_files >= most_open_files) return Status::IOError(path, "too many open files");
    const Status status = EnvWrapper::NewWritableFile(path, file);
    if (status.ok()) *file = new File(std::unique_ptr<WritableFile>(*file), this);
    return status;
  }

  int open_files = 0;
  int most_open_files = 1000;
  int syncs = 0;
  int failing_sync = 0;

 private:
  class File final : public WritableFile {
   public:
    File(std::unique_ptr<WritableFile> target, SyncCountingEnv* env)
        : target_(std::move(target)), env_(env) {
      env_->open_files++;
    }
    ~File() override { env_->open_files--; }
    Status Append(const Slice& data) override { return target_->Append(data); }
    Status Close() override { return target_->Close(); }
    Status Flush() override { return target_->Flush(); }
    Status Sync() override {
      return ++env_->syncs == env_->failing_sync ? Status::IOError("sync") : target_->Sync();
    }

   private:
    const std::unique_ptr<WritableFile> target_;
    SyncCountingEnv* const env_;
  };
};

class TableRunTest : public testing::Test {
 protected:
  static constexpr size_t kTableBytes = 1 << 20;  // the least that options allow

  TableRunTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get()) {
    Options options;
    options.env = &env_;
    options.compression = kNoCompression;
    options.max_file_size = kTableBytes;
    EXPECT_TRUE(env_.CreateDir("/db").ok());
    state_ = std::make_unique<DbState>(std::make_unique<ResolvedOptions>("/db", options));
    table_cache_ = std::make_unique<TableCache>("/db", state_->options(), 100,
                                                InternalKeyOrder(state_->comparator()));
    bool reused;
    EXPECT_TRUE(state_->versions->CreateFresh().ok());
    EXPECT_TRUE(state_->versions->Recover(&reused).ok());
    env_.syncs = 0;
    run_ = std::make_unique<TableRun>(JobContext{state_.get(), table_cache_.get(), nullptr},
                                      grandparents_, true);
  }

  // Adds entries that fill `tables` tables.
  Status Fill(size_t tables) {
    Status status;
    const std::string value(kTableBytes / 2, 'v');
    while (status.ok() && run_->tables() < tables) {
      const std::string key = std::to_string(1000 + entries_++);
      status = run_->Add(InternalKey(key, 1, kTypeValue).Encode(), value);
    }
    return status;
  }

  size_t FilesLeft() {
    std::vector<std::string> names;
    EXPECT_TRUE(env_.GetChildren("/db", &names).ok());
    size_t tables = 0;
    for (const std::string& name : names) tables += name.find(".ldb") != std::string::npos;
    return tables;
  }

  const std::unique_ptr<Env> mem_env_;
  SyncCountingEnv env_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<TableCache> table_cache_;
  const std::vector<FileMetaPtr> grandparents_;
  std::unique_ptr<TableRun> run_;
  int entries_ = 0;
  int yields_ = 0;
};

TEST_F(TableRunTest, TablesAreSyncedTogetherAtTheEnd) {
  ASSERT_TRUE(Fill(4).ok());
  EXPECT_EQ(env_.syncs, 0);
  ASSERT_TRUE(run_->Finish([this] { yields_++; }).ok());
  EXPECT_EQ(env_.syncs, 5);
  EXPECT_EQ(yields_, 5);
  EXPECT_EQ(run_->tables(), 5u);
  VersionEdit edit;
  run_->AddTo(1, &edit);
  EXPECT_EQ(FilesLeft(), 5u);
}

TEST_F(TableRunTest, OfALongRunTheOldestTablesAreSyncedMeanwhile) {
  constexpr uint64_t kUnsyncedMost = 32 << 20;
  ASSERT_TRUE(Fill(100).ok());
  EXPECT_GT(env_.syncs, 0);
  const uint64_t bytes_a_table = run_->bytes() / 100;
  EXPECT_LE((100 - env_.syncs) * bytes_a_table, kUnsyncedMost);
  EXPECT_GT((101 - env_.syncs) * bytes_a_table, kUnsyncedMost);
  ASSERT_TRUE(run_->Finish([this] { yields_++; }).ok());
  EXPECT_EQ(env_.syncs, 101);
}

TEST_F(TableRunTest, TablesAreSyncedEarlierWhereDescriptorsAreFew) {
  env_.most_open_files = env_.open_files + 3;
  ASSERT_TRUE(Fill(8).ok());
  ASSERT_TRUE(run_->Finish([this] { yields_++; }).ok());
  EXPECT_EQ(run_->tables(), 9u);
  EXPECT_EQ(FilesLeft(), 9u);
}

TEST_F(TableRunTest, AFailedSyncEndsTheRun) {
  env_.failing_sync = 3;
  ASSERT_TRUE(Fill(4).ok());
  EXPECT_TRUE(run_->Finish([this] { yields_++; }).IsIOError());
  run_->Abandon();
  EXPECT_EQ(FilesLeft(), 0u);
}

TEST_F(TableRunTest, AnAbandonedRunLeavesNoFile) {
  ASSERT_TRUE(Fill(20).ok());
  run_->Abandon();
  EXPECT_EQ(FilesLeft(), 0u);
}

TEST_F(TableRunTest, NothingIsLeftOfARunThatIsDeleted) {
  ASSERT_TRUE(Fill(2).ok());
  run_.reset();
  EXPECT_EQ(FilesLeft(), 0u);
}

}  // namespace
}  // namespace leveldb
