#include "db/version/version_set.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "db/files/filename.h"
#include "db/version/obsolete_files.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

enum class Fault { kNone, kCreate, kAppend, kHalfAppend, kSync, kRename, kLateRename };

// Makes writes to manifests, or switches of CURRENT, fail.
class FaultyEnv : public EnvWrapper {
 public:
  explicit FaultyEnv(Env* base) : EnvWrapper(base) {}

  Status NewWritableFile(const std::string& name, WritableFile** result) override {
    if (fault == Fault::kCreate) return Status::IOError(name, "create");
    WritableFile* file = nullptr;
    const Status status = target()->NewWritableFile(name, &file);
    if (status.ok()) *result = new FaultyFile(file, this);
    return status;
  }
  Status RenameFile(const std::string& src, const std::string& target_name) override {
    if (fault == Fault::kRename) return Status::IOError(target_name, "rename");
    const Status status = target()->RenameFile(src, target_name);
    // The rename is done, but not known to be durable.
    return fault == Fault::kLateRename ? Status::IOError(target_name, "sync of directory") : status;
  }

  std::atomic<Fault> fault{Fault::kNone};

 private:
  class FaultyFile : public WritableFile {
   public:
    FaultyFile(WritableFile* file, const FaultyEnv* env) : file_(file), env_(env) {}
    Status Append(const Slice& data) override {
      const Fault now = env_->fault;
      if (now == Fault::kAppend) return Status::IOError("append");
      if (now != Fault::kHalfAppend) return file_->Append(data);
      const Status status = file_->Append(Slice(data.data(), data.size() / 2));
      return status.ok() ? Status::IOError("no space") : status;
    }
    Status Close() override { return file_->Close(); }
    Status Flush() override { return file_->Flush(); }
    Status Sync() override {
      return env_->fault == Fault::kSync ? Status::IOError("sync") : file_->Sync();
    }

   private:
    const std::unique_ptr<WritableFile> file_;
    const FaultyEnv* const env_;
  };
};

class VersionSetTest : public testing::Test {
 protected:
  VersionSetTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get()) {
    options_.env = &env_;
    options_.info_log = nullptr;
    EXPECT_TRUE(env_.CreateDir("/d").ok());
    NewSet();
    EXPECT_TRUE(set_->CreateFresh().ok());
    Open();
  }

  void NewSet() {
    set_.reset();
    set_ = std::make_unique<VersionSet>("/d", &options_, &comparator_, &obsolete_);
  }

  // Recovers, and starts a new manifest and log if needed, as a database does.
  void Open() {
    bool reused = false;
    const Status status = set_->Recover(&reused);
    ASSERT_TRUE(status.ok()) << status.ToString();
    if (reused) return;
    VersionEdit edit;
    const uint64_t log = set_->NewFileNumber();
    ASSERT_TRUE(WriteStringToFile(&env_, "", LogFileName("/d", log)).ok());
    edit.SetLogNumber(log);
    edit.SetPrevLogNumber(0);
    ASSERT_TRUE(Apply(&edit).ok());
  }

  void Reopen() {
    NewSet();
    Open();
  }

  Status Recover() {
    NewSet();
    bool reused = false;
    return set_->Recover(&reused);
  }

  Status Apply(VersionEdit* edit) {
    MutexLock lock(&mutex_);
    return set_->LogAndApply(edit, &mutex_);
  }

  // Adds a file of level 1 with the one key k<number>, and sets *number.
  Status AddFile(uint64_t* number = nullptr) {
    const uint64_t n = set_->NewFileNumber();
    if (number != nullptr) *number = n;
    VersionEdit edit;
    const InternalKey key = KeyOf(n);
    edit.AddFile(1, n, 1000, key, key);
    return Apply(&edit);
  }

  static InternalKey KeyOf(uint64_t number) {
    return ParseKey("k" + std::to_string(1000000 + number) + std::string(key_padding_, 'x'));
  }

  std::string Files(int level = 1) {
    std::string text;
    for (const FileMetaPtr& file : set_->current()->files(level)) {
      text += std::to_string(file->number) + " ";
    }
    return text;
  }

  std::string Current() {
    std::string contents;
    EXPECT_TRUE(ReadFileToString(&env_, "/d/CURRENT", &contents).ok());
    return contents;
  }

  int CountManifests() {
    std::vector<std::string> names;
    EXPECT_TRUE(env_.GetChildren("/d", &names).ok());
    return static_cast<int>(std::count_if(names.begin(), names.end(), [](const std::string& n) {
      return n.rfind("MANIFEST-", 0) == 0;
    }));
  }

  std::string ManifestBytes() {
    std::string bytes;
    EXPECT_TRUE(
        ReadFileToString(&env_, ManifestFileName("/d", set_->ManifestFileNumber()), &bytes).ok());
    return bytes;
  }

  static inline size_t key_padding_ = 0;
  const std::unique_ptr<Env> mem_env_;
  FaultyEnv env_;
  Options options_;
  const InternalKeyComparator comparator_{BytewiseComparator()};
  ObsoleteFiles obsolete_;
  Mutex mutex_;
  std::unique_ptr<VersionSet> set_;
};

TEST_F(VersionSetTest, NumbersOfAFreshDatabase) {
  EXPECT_EQ("MANIFEST-000002\n", Current());
  EXPECT_EQ(2u, set_->ManifestFileNumber());
  EXPECT_EQ(3u, set_->LogNumber());
  EXPECT_EQ(0u, set_->PrevLogNumber());
  EXPECT_EQ(0u, set_->LastSequence());
  EXPECT_EQ(4u, set_->NewFileNumber());
  EXPECT_EQ("files[ 0 0 0 0 0 0 0 ]", set_->LevelSummary());
}

TEST_F(VersionSetTest, RemembersEverything) {
  ASSERT_TRUE(AddFile().ok());
  ASSERT_TRUE(AddFile().ok());
  VersionEdit edit;
  edit.SetLastSequence(77);
  edit.SetCompactPointer(1, ParseKey("m"));
  edit.SetCompactPointer(3, ParseKey("n@5"));
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_EQ("4 5 ", Files());
  const uint64_t log_number = set_->LogNumber();
  for (int i = 0; i < 3; i++) {
    ASSERT_TRUE(Recover().ok());
    EXPECT_EQ("4 5 ", Files());
    EXPECT_EQ(77u, set_->LastSequence());
    EXPECT_EQ(log_number, set_->LogNumber());
    EXPECT_EQ(ParseKey("m").Encode().ToString(), set_->compact_pointer(1));
    EXPECT_EQ(ParseKey("n@5").Encode().ToString(), set_->compact_pointers()[3]);
    EXPECT_EQ("files[ 0 2 0 0 0 0 0 ]", set_->LevelSummary());
  }
  EXPECT_GT(set_->NewFileNumber(), 5u);
}

TEST_F(VersionSetTest, EveryOpenStartsANewManifest) {
  for (int i = 0; i < 5; i++) {
    const uint64_t before = set_->ManifestFileNumber();
    ASSERT_TRUE(AddFile().ok());
    EXPECT_EQ(before, set_->ManifestFileNumber());
    Reopen();
    EXPECT_GT(set_->ManifestFileNumber(), before);
    EXPECT_EQ(i + 1, set_->current()->num_files(1));
  }
}

TEST_F(VersionSetTest, AManifestIsContinuedWhenAsked) {
  options_.reuse_logs = true;
  for (int i = 0; i < 5; i++) {
    ASSERT_TRUE(AddFile().ok());
    Reopen();
    EXPECT_EQ(2u, set_->ManifestFileNumber());
    EXPECT_EQ(i + 1, set_->current()->num_files(1));
  }
  EXPECT_EQ("MANIFEST-000002\n", Current());
}

TEST_F(VersionSetTest, ALongManifestIsNotContinued) {
  options_.reuse_logs = true;
  options_.max_file_size = 100;
  ASSERT_TRUE(AddFile().ok());
  ASSERT_TRUE(AddFile().ok());
  Reopen();
  EXPECT_GT(set_->ManifestFileNumber(), 2u);
}

TEST_F(VersionSetTest, AManifestWithATornEndIsNotContinued) {
  options_.reuse_logs = true;
  ASSERT_TRUE(AddFile().ok());
  ASSERT_TRUE(AddFile().ok());
  const std::string bytes = ManifestBytes();
  ASSERT_TRUE(
      WriteStringToFile(&env_, bytes.substr(0, bytes.size() - 3), ManifestFileName("/d", 2)).ok());
  Reopen();
  EXPECT_GT(set_->ManifestFileNumber(), 2u);
  EXPECT_EQ("4 ", Files());
  ASSERT_TRUE(AddFile().ok());
  Reopen();
  EXPECT_EQ(2, set_->current()->num_files(1));
}

TEST_F(VersionSetTest, ADamagedEndAndAMissingLogMeanThatSomethingIsLost) {
  ASSERT_TRUE(AddFile().ok());
  ASSERT_TRUE(
      WriteStringToFile(&env_, ManifestBytes() + "garbage", ManifestFileName("/d", 2)).ok());
  EXPECT_TRUE(Recover().ok());
  ASSERT_TRUE(env_.RemoveFile(LogFileName("/d", 3)).ok());
  const Status status = Recover();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("/d/000003.log"));
}

TEST_F(VersionSetTest, AFailureChangesNothingAndTheNextEditSucceeds) {
  for (const Fault fault : {Fault::kAppend, Fault::kHalfAppend, Fault::kSync}) {
    SCOPED_TRACE(static_cast<int>(fault));
    ASSERT_TRUE(AddFile().ok());
    const VersionPtr before = set_->current();
    const std::string files = Files();
    const uint64_t manifest = set_->ManifestFileNumber();
    env_.fault = fault;
    EXPECT_TRUE(AddFile().IsIOError());
    EXPECT_EQ(before, set_->current());
    EXPECT_EQ(manifest, set_->ManifestFileNumber());
    EXPECT_TRUE(AddFile().IsIOError());
    env_.fault = Fault::kNone;

    uint64_t number = 0;
    ASSERT_TRUE(AddFile(&number).ok());
    EXPECT_GT(set_->ManifestFileNumber(), manifest);
    const std::string expected = files + std::to_string(number) + " ";
    EXPECT_EQ(expected, Files());
    Reopen();
    EXPECT_EQ(expected, Files());
  }
}

TEST_F(VersionSetTest, AFailureAndAReopen) {
  for (const Fault fault : {Fault::kAppend, Fault::kHalfAppend, Fault::kSync}) {
    SCOPED_TRACE(static_cast<int>(fault));
    ASSERT_TRUE(AddFile().ok());
    const std::string files = Files();
    env_.fault = fault;
    uint64_t lost = 0;
    EXPECT_TRUE(AddFile(&lost).IsIOError());
    env_.fault = Fault::kNone;
    Reopen();
    // After a failed sync, either result is correct.
    if (fault != Fault::kSync || Files() == files) {
      EXPECT_EQ(files, Files());
    } else {
      EXPECT_EQ(files + std::to_string(lost) + " ", Files());
    }
    ASSERT_TRUE(AddFile().ok());
  }
}

TEST_F(VersionSetTest, TheSwitchToANewManifestMayFail) {
  for (const Fault fault : {Fault::kCreate, Fault::kAppend, Fault::kHalfAppend, Fault::kSync,
                            Fault::kRename, Fault::kLateRename}) {
    SCOPED_TRACE(static_cast<int>(fault));
    ASSERT_TRUE(AddFile().ok());
    const std::string files = Files();
    ASSERT_TRUE(Recover().ok());  // the next edit starts a new manifest
    const uint64_t manifest = set_->ManifestFileNumber();
    env_.fault = fault;
    uint64_t number = 0;
    EXPECT_TRUE(AddFile(&number).IsIOError());
    EXPECT_EQ(files, Files());
    EXPECT_EQ(manifest, set_->ManifestFileNumber());
    env_.fault = Fault::kNone;

    // The files on disk can be opened: with the edit only if CURRENT was switched.
    const std::string with_edit = files + std::to_string(number) + " ";
    VersionSet other("/d", &options_, &comparator_, &obsolete_);
    bool reused = false;
    ASSERT_TRUE(other.Recover(&reused).ok());
    EXPECT_EQ(fault == Fault::kLateRename ? set_->current()->num_files(1) + 1
                                          : set_->current()->num_files(1),
              other.current()->num_files(1));

    ASSERT_TRUE(AddFile(&number).ok());
    const std::string expected = files + std::to_string(number) + " ";
    EXPECT_EQ(expected, Files());
    Reopen();
    EXPECT_EQ(expected, Files());
  }
}

TEST_F(VersionSetTest, AnEditThatMakesNoSenseIsRefused) {
  ASSERT_TRUE(AddFile().ok());
  VersionEdit edit;
  edit.AddFile(1, set_->NewFileNumber(), 1000, KeyOf(1), KeyOf(9));
  EXPECT_TRUE(Apply(&edit).IsCorruption());
  EXPECT_EQ("4 ", Files());
  ASSERT_TRUE(AddFile().ok());
  Reopen();
  EXPECT_EQ(2, set_->current()->num_files(1));
}

TEST_F(VersionSetTest, TheManifestDoesNotGrowForever) {
  key_padding_ = 50000;
  uint64_t last = 0;
  ASSERT_TRUE(AddFile(&last).ok());
  uint64_t longest = 0;
  for (int i = 0; i < 300; i++) {
    const uint64_t number = set_->NewFileNumber();
    VersionEdit edit;
    edit.RemoveFile(1, last);
    edit.AddFile(1, number, 1000, KeyOf(number), KeyOf(number));
    ASSERT_TRUE(Apply(&edit).ok());
    last = number;
    uint64_t size = 0;
    ASSERT_TRUE(env_.GetFileSize(ManifestFileName("/d", set_->ManifestFileNumber()), &size).ok());
    longest = std::max(longest, size);
  }
  key_padding_ = 0;
  EXPECT_GT(set_->ManifestFileNumber(), 2u);
  EXPECT_GT(longest, uint64_t{4} << 20);
  EXPECT_LT(longest, uint64_t{5} << 20);
  EXPECT_EQ("MANIFEST-" + std::string(set_->ManifestFileNumber() < 100 ? "0000" : "000") +
                std::to_string(set_->ManifestFileNumber()) + "\n",
            Current());
  Reopen();
  EXPECT_EQ(std::to_string(last) + " ", Files());
}

TEST_F(VersionSetTest, DroppedFilesAreQueuedWhenTheLastVersionGoes) {
  uint64_t number = 0;
  ASSERT_TRUE(AddFile(&number).ok());
  ASSERT_TRUE(AddFile().ok());
  VersionPtr reader = set_->current();
  VersionEdit edit;
  edit.RemoveFile(1, number);
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_TRUE(obsolete_.empty());
  std::set<uint64_t> live;
  set_->AddLiveFiles(&live);
  EXPECT_EQ((std::set<uint64_t>{4, 5}), live);

  reader.reset();
  EXPECT_EQ(std::vector<uint64_t>{number}, obsolete_.TakeAll());
  live.clear();
  set_->AddLiveFiles(&live);
  EXPECT_EQ(std::set<uint64_t>{5}, live);

  set_.reset();
  EXPECT_TRUE(obsolete_.empty());  // live files stay
}

TEST_F(VersionSetTest, AMovedFileIsNotDropped) {
  uint64_t number = 0;
  ASSERT_TRUE(AddFile(&number).ok());
  for (int level = 1; level < 4; level++) {
    VersionEdit edit;
    edit.RemoveFile(level, number);
    edit.AddFile(level + 1, number, 1000, KeyOf(number), KeyOf(number));
    ASSERT_TRUE(Apply(&edit).ok());
    EXPECT_TRUE(obsolete_.empty());
  }
  EXPECT_EQ(std::to_string(number) + " ", Files(4));
  VersionEdit edit;
  edit.RemoveFile(4, number);
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_EQ(std::vector<uint64_t>{number}, obsolete_.TakeAll());
}

TEST_F(VersionSetTest, FilesOfAFailedEditAreNotQueued) {
  uint64_t number = 0;
  ASSERT_TRUE(AddFile(&number).ok());
  env_.fault = Fault::kSync;
  VersionEdit edit;
  edit.RemoveFile(1, number);
  EXPECT_FALSE(Apply(&edit).ok());
  env_.fault = Fault::kNone;
  set_.reset();
  EXPECT_TRUE(obsolete_.empty());
}

TEST_F(VersionSetTest, ATableAtTwoLevelsIsCorrupt) {
  VersionEdit edit = ParseFiles("L1: 50[a..b]\nL2: 50[a..b]");
  set_->MarkFileNumberUsed(50);
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_TRUE(Recover().IsCorruption());
}

TEST_F(VersionSetTest, FileNumbersOnlyGrow) {
  const uint64_t first = set_->NewFileNumber();
  set_->MarkFileNumberUsed(first + 100);
  EXPECT_EQ(first + 101, set_->NewFileNumber());
  set_->MarkFileNumberUsed(first);
  EXPECT_EQ(first + 102, set_->NewFileNumber());
}

TEST_F(VersionSetTest, ManyThreadsTakeTurns) {
  constexpr int kThreads = 4;
  constexpr int kEdits = 100;
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([this] {
      uint64_t last = 0;
      for (int i = 0; i < kEdits; i++) {
        const uint64_t number = set_->NewFileNumber();
        VersionEdit edit;
        if (last != 0) edit.RemoveFile(1, last);
        edit.AddFile(1, number, 1000, KeyOf(number), KeyOf(number));
        EXPECT_TRUE(Apply(&edit).ok());
        last = number;
      }
    });
  }
  // Readers pin versions, and writers raise the sequence, meanwhile.
  std::thread reader([this, &done] {
    SequenceNumber sequence = 0;
    while (!done) {
      set_->SetLastSequence(++sequence);
      VersionPtr version;
      {
        MutexLock lock(&mutex_);
        version = set_->current();
      }
      EXPECT_LE(version->num_files(1), 4);
      for (const FileMetaPtr& file : version->files(1)) EXPECT_EQ(1000u, file->size);
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  reader.join();

  EXPECT_EQ(kThreads, set_->current()->num_files(1));
  EXPECT_EQ(static_cast<size_t>(kThreads * (kEdits - 1)), obsolete_.TakeAll().size());
  const std::string files = Files();
  Reopen();
  EXPECT_EQ(files, Files());
}

TEST_F(VersionSetTest, ManyThreadsWhileTheDiskFailsNowAndThen) {
  constexpr int kThreads = 4;
  constexpr int kEdits = 100;
  std::atomic<int> running{kThreads};
  std::array<std::vector<uint64_t>, kThreads> added;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([this, t, &added, &running] {
      for (int i = 0; i < kEdits; i++) {
        uint64_t number = 0;
        if (AddFile(&number).ok()) added[static_cast<size_t>(t)].push_back(number);
      }
      running--;
    });
  }
  while (running > 0) {
    for (const Fault fault : {Fault::kSync, Fault::kNone, Fault::kHalfAppend, Fault::kNone,
                              Fault::kRename, Fault::kNone, Fault::kNone}) {
      env_.fault = fault;
      std::this_thread::yield();
    }
  }
  for (std::thread& thread : threads) thread.join();
  env_.fault = Fault::kNone;
  ASSERT_TRUE(AddFile().ok());

  std::set<uint64_t> expected;
  for (const std::vector<uint64_t>& numbers : added)
    expected.insert(numbers.begin(), numbers.end());
  std::set<uint64_t> live;
  set_->AddLiveFiles(&live);
  live.erase(*live.rbegin());
  EXPECT_EQ(expected, live);
  const std::string files = Files();
  Reopen();
  EXPECT_EQ(files, Files());
}

}  // namespace
}  // namespace leveldb
