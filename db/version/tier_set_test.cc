// Tests the version set of a database with a tier.

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "db/files/filename.h"
#include "db/version/manifest_reader.h"
#include "db/version/obsolete_files.h"
#include "db/version/tree_text.h"
#include "db/version/version_set.h"
#include "filelog/log_reader.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Makes syncs fail.
class UnsyncedEnv : public EnvWrapper {
 public:
  explicit UnsyncedEnv(Env* base) : EnvWrapper(base) {}

  Status NewWritableFile(const std::string& name, WritableFile** result) override {
    WritableFile* file = nullptr;
    const Status status = target()->NewWritableFile(name, &file);
    if (status.ok()) *result = new File(file, this);
    return status;
  }

  std::atomic<bool> fails{false};

 private:
  class File : public WritableFile {
   public:
    File(WritableFile* file, const UnsyncedEnv* env) : file_(file), env_(env) {}
    Status Append(const Slice& data) override { return file_->Append(data); }
    Status Close() override { return file_->Close(); }
    Status Flush() override { return file_->Flush(); }
    Status Sync() override { return env_->fails ? Status::IOError("sync") : file_->Sync(); }

   private:
    const std::unique_ptr<WritableFile> file_;
    const UnsyncedEnv* const env_;
  };
};

class TierSetTest : public testing::Test {
 protected:
  TierSetTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get()) {
    options_.env = &env_;
    options_.info_log = nullptr;
    tag_.pool.bytes.fill(7);
    tag_.epoch = 2;
    EXPECT_TRUE(env_.CreateDir("/d").ok());
    NewSet(true);
    EXPECT_TRUE(set_->CreateFresh().ok());
    Open();
    VersionEdit edit;
    edit.pmem().SetTier(tag_);
    EXPECT_TRUE(Apply(&edit).ok());
  }

  void NewSet(bool with_pool) {
    set_.reset();
    set_ = std::make_unique<VersionSet>("/d", &options_, &comparator_, &obsolete_);
    if (!with_pool) return;
    TierAttachment tier;
    tier.pool_bytes = uint64_t{1} << 30;
    tier.open_tree = [this](const TreeRecord& record, TreePtr* tree) {
      *tree = MakeTree(&comparator_, record);
      return Status::OK();
    };
    tier.logs = {log_in_pool_};
    tier.hold_releases = [this](bool hold) { holds_ += hold ? 'H' : '-'; };
    set_->AttachTier(std::move(tier));
  }

  void Open() {
    bool reused = false;
    const Status status = set_->Recover(&reused);
    ASSERT_TRUE(status.ok()) << status.ToString();
    VersionEdit edit;
    log_in_pool_ = set_->NewFileNumber();
    edit.SetLogNumber(log_in_pool_);
    edit.SetPrevLogNumber(0);
    ASSERT_TRUE(Apply(&edit).ok());
  }

  Status Recover(bool with_pool) {
    NewSet(with_pool);
    bool reused = false;
    return set_->Recover(&reused);
  }

  Status Apply(VersionEdit* edit) {
    MutexLock lock(&mutex_);
    return set_->LogAndApply(edit, &mutex_);
  }

  Status Add(const std::string& text) {
    VersionEdit edit = ParseTrees(&comparator_, text);
    return Apply(&edit);
  }

  std::string Manifest() {
    std::string name;
    uint64_t number;
    EXPECT_TRUE(ReadCurrentFile(&env_, "/d", &name, &number).ok());
    return "/d/" + name;
  }

  // Returns the first edit of the manifest.
  VersionEdit Snapshot() {
    SequentialFile* opened = nullptr;
    EXPECT_TRUE(env_.NewSequentialFile(Manifest(), &opened).ok());
    const std::unique_ptr<SequentialFile> file(opened);
    LogReader reader(file.get(), nullptr, /*checksum=*/true);
    Slice record;
    std::string scratch;
    VersionEdit edit;
    EXPECT_TRUE(reader.ReadRecord(&record, &scratch));
    EXPECT_TRUE(edit.DecodeFrom(record).ok());
    return edit;
  }

  // Makes the next edit begin a new manifest.
  void FailOnce() {
    env_.fails = true;
    EXPECT_FALSE(Add("G0: 900[a..b]").ok());
    env_.fails = false;
  }

  std::optional<TierTag> TagOnDisk() {
    std::optional<TierTag> tag;
    const Status status = ReadTierTag(&env_, "/d", &tag);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return tag;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  const std::unique_ptr<Env> mem_env_;
  UnsyncedEnv env_;
  Options options_;
  ObsoleteFiles obsolete_;
  TierTag tag_;
  uint64_t log_in_pool_ = 0;
  std::string holds_;
  Mutex mutex_;
  std::unique_ptr<VersionSet> set_;
};

TEST_F(TierSetTest, TreesAndTagSurvive) {
  ASSERT_TRUE(Add("G0: 50[a..m] 51[c..z]\nG2: 52[a..b]\nL1: 53[a..b]").ok());
  VersionEdit pointer;
  pointer.pmem().SetGroupPointer(2, ParseKey("b@1"));
  ASSERT_TRUE(Apply(&pointer).ok());
  const std::string before = set_->current()->DebugString();
  for (int round = 0; round < 2; round++) {  // from edits, then from a snapshot
    ASSERT_TRUE(Recover(true).ok());
    EXPECT_EQ(before, set_->current()->DebugString());
    EXPECT_EQ(tag_, set_->tier());
    EXPECT_EQ(ParseKey("b@1").Encode().ToString(), set_->group_pointers()[2]);
    EXPECT_EQ(ShapeUnderTier(uint64_t{1} << 30, options_.write_buffer_size, true),
              set_->current()->shape());
    EXPECT_GT(set_->NewFileNumber(), 53u);
    VersionEdit edit;
    ASSERT_TRUE(Apply(&edit).ok());
  }
  EXPECT_EQ("files[ 0 1 0 0 0 0 0 ] trees[ 2 0 1 0 ]", set_->LevelSummary());
}

TEST_F(TierSetTest, TheTagIsFoundWithoutThePool) {
  ASSERT_TRUE(Add("G0: 50[a..m]").ok());
  EXPECT_EQ(tag_, TagOnDisk());
  tag_.epoch = 4;
  VersionEdit edit;
  edit.pmem().SetTier(tag_);
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_EQ(tag_, TagOnDisk());
  const Status status = Recover(false);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find(tag_.pool.Text())) << status.ToString();
}

TEST_F(TierSetTest, ATierWithoutTreesNeedsItsPoolToo) {
  EXPECT_TRUE(Recover(false).IsInvalidArgument());
}

TEST_F(TierSetTest, LeavingTheTierLeavesNoTrace) {
  ASSERT_TRUE(Add("G0: 50[a..m]\nL1: 51[a..b]").ok());
  VersionEdit early;
  early.pmem().LeaveTier();
  EXPECT_TRUE(Apply(&early).IsInvalidArgument());  // there is a tree
  VersionEdit spill;
  spill.pmem().RemoveTree(0, 50);
  spill.pmem().SetGroupPointer(0, ParseKey("m"));
  ASSERT_TRUE(Apply(&spill).ok());

  const std::string old_manifest = Manifest();
  VersionEdit leave;
  leave.pmem().LeaveTier();
  ASSERT_TRUE(Apply(&leave).ok());
  EXPECT_FALSE(set_->tier().has_value());
  EXPECT_NE(old_manifest, Manifest());
  EXPECT_EQ(std::nullopt, TagOnDisk());
  const Status status = Recover(false);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(1, set_->current()->num_files(1));
  EXPECT_EQ("", set_->group_pointers()[0]);
}

TEST_F(TierSetTest, ReleasesAreHeldFromAFailureToTheNextSuccess) {
  ASSERT_TRUE(Add("G0: 50[a..m]").ok());
  EXPECT_EQ(std::string::npos, holds_.find('H'));
  holds_.clear();
  env_.fails = true;
  EXPECT_FALSE(Add("G0: 60[a..m]").ok());
  EXPECT_FALSE(Add("G0: 61[a..m]").ok());
  env_.fails = false;
  EXPECT_EQ("HH", holds_);
  EXPECT_EQ(1u, set_->current()->group()->tree_count());
  ASSERT_TRUE(Add("G0: 62[a..m]").ok());
  EXPECT_EQ("HH-", holds_);
  EXPECT_EQ(2u, set_->current()->group()->tree_count());
  ASSERT_TRUE(Recover(true).ok());
  EXPECT_EQ(2u, set_->current()->group()->tree_count());
}

// A job that is still running began when there were trees.
TEST_F(TierSetTest, NorDoesLeavingAmongJobs) {
  {
    MutexLock lock(&mutex_);
    set_->BeginJob();
  }
  const uint64_t dropped = set_->NewFileNumber();
  ASSERT_TRUE(Add("G0: " + std::to_string(dropped) + "[a..m]").ok());
  VersionEdit drop;
  drop.pmem().RemoveTree(0, dropped);
  ASSERT_TRUE(Apply(&drop).ok());
  VersionEdit leave;
  leave.pmem().LeaveTier();
  ASSERT_TRUE(Apply(&leave).ok());
  EXPECT_EQ("", Snapshot().pmem().DebugString());
  env_.fails = true;
  VersionEdit lost;
  EXPECT_FALSE(Apply(&lost).ok());
  env_.fails = false;
  VersionEdit next;
  ASSERT_TRUE(Apply(&next).ok());
  EXPECT_EQ("", Snapshot().pmem().DebugString());
}

// A repair derives from the first number of a manifest which trees and tables it has to name.
TEST_F(TierSetTest, AManifestThatIsBegunAmongJobsBeginsWithTheirNumbers) {
  JobNumbers::Ticket job;
  {
    MutexLock lock(&mutex_);
    job = set_->BeginJob();
  }
  const uint64_t held = set_->NewFileNumber();
  const uint64_t dropped = set_->NewFileNumber();
  ASSERT_TRUE(Add("G0: " + std::to_string(dropped) + "[a..m]").ok());
  VersionEdit drop;
  drop.pmem().RemoveTree(0, dropped);
  ASSERT_TRUE(Apply(&drop).ok());
  FailOnce();
  ASSERT_TRUE(Add("L1: " + std::to_string(set_->NewFileNumber()) + "[a..m]").ok());
  const VersionEdit among_jobs = Snapshot();
  EXPECT_EQ(held, among_jobs.next_file_number());
  ASSERT_EQ(2u, among_jobs.pmem().deleted_trees().size());
  EXPECT_EQ(dropped, among_jobs.pmem().deleted_trees()[0].number);
  EXPECT_EQ(900u, among_jobs.pmem().deleted_trees()[1].number);

  {
    MutexLock lock(&mutex_);
    set_->EndJob(job);
  }
  const uint64_t later = set_->NewFileNumber();
  FailOnce();
  ASSERT_TRUE(Add("L1: " + std::to_string(later) + "[n..z]").ok());
  EXPECT_LT(later, Snapshot().next_file_number());
  EXPECT_TRUE(Snapshot().pmem().deleted_trees().empty());
  ASSERT_TRUE(Recover(true).ok());
  EXPECT_LT(later, set_->NewFileNumber());
}

TEST_F(TierSetTest, ANumberThatIsGivenTwiceIsCorrupt) {
  ASSERT_TRUE(Add("G0: 50[a..m]\nL1: 50[a..b]").ok());
  EXPECT_TRUE(Recover(true).IsCorruption());
}

TEST_F(TierSetTest, ALogInThePoolProvesThatTheTornEndWasNotAcknowledged) {
  const std::string path = Manifest();
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(mem_env_.get(), path, &bytes).ok());
  ASSERT_TRUE(WriteStringToFile(mem_env_.get(), bytes + "torn", path).ok());
  EXPECT_TRUE(Recover(true).ok());
  log_in_pool_ = 0;
  const Status status = Recover(true);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
}

TEST_F(TierSetTest, WhereNoLogIsInThePoolNewerFilesTellOfALostEdit) {
  log_in_pool_ = 0;
  EXPECT_TRUE(Recover(true).ok());
  ASSERT_TRUE(WriteStringToFile(mem_env_.get(), "", LogFileName("/d", 1000)).ok());
  const Status status = Recover(true);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  log_in_pool_ = 1001;  // the replay of the pool's logs checks it
  EXPECT_TRUE(Recover(true).ok());
}

TEST_F(TierSetTest, TheTagOfADamagedManifestIsNotBelieved) {
  const std::string path = Manifest();
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(mem_env_.get(), path, &bytes).ok());
  bytes[10] = static_cast<char>(bytes[10] ^ 1);
  ASSERT_TRUE(WriteStringToFile(mem_env_.get(), bytes, path).ok());
  std::optional<TierTag> tag;
  EXPECT_TRUE(ReadTierTag(&env_, "/d", &tag).IsCorruption());
  EXPECT_TRUE(ReadTierTag(&env_, "/nowhere", &tag).IsNotFound());
}

}  // namespace
}  // namespace leveldb
