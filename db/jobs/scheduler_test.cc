#include "db/jobs/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/version/internal_key_order.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Queues background work until a test runs it.
class ManualEnv final : public EnvWrapper {
 public:
  explicit ManualEnv(Env* target) : EnvWrapper(target) {}

  void Schedule(void (*function)(void*), void* arg) override {
    MutexLock lock(&mutex_);
    calls_.emplace_back(function, arg);
  }

  size_t NumScheduled() {
    MutexLock lock(&mutex_);
    return calls_.size();
  }

  Status NewWritableFile(const std::string& path, WritableFile** file) override {
    if (on_next_new_file) std::exchange(on_next_new_file, nullptr)();
    return EnvWrapper::NewWritableFile(path, file);
  }

  std::function<void()> on_next_new_file;

  // Runs the oldest call. Returns false if there is none.
  bool RunOne() {
    std::pair<void (*)(void*), void*> call;
    {
      MutexLock lock(&mutex_);
      if (calls_.empty()) return false;
      call = calls_.front();
      calls_.pop_front();
    }
    call.first(call.second);
    return true;
  }

  void RunAll() {
    while (RunOne()) {
    }
  }

 private:
  Mutex mutex_;
  std::deque<std::pair<void (*)(void*), void*>> calls_;
};

class SchedulerTest : public testing::Test {
 protected:
  SchedulerTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get()) {
    Options options;
    options.env = &env_;
    options.block_cache = cache_.get();
    env_.CreateDir("/db");
    auto resolved = std::make_unique<ResolvedOptions>("/db", options);
    resolved->max_running_compactions = 4;
    state_ = std::make_unique<DbState>(std::move(resolved));
    table_cache_ = std::make_unique<TableCache>("/db", state_->options(), 100,
                                                InternalKeyOrder(state_->comparator()));
    scheduler_ = std::make_unique<Scheduler>(state_.get(), table_cache_.get());
    state_->work_signal = scheduler_.get();
    bool reused;
    EXPECT_TRUE(state_->versions->CreateFresh().ok());
    EXPECT_TRUE(state_->versions->Recover(&reused).ok());
    MutexLock lock(&state_->mutex);
    state_->log_numbers.push_back(NewLogFile());
    state_->manifest_number = state_->versions->ManifestFileNumber();
    state_->Publish(NewMemTable(), nullptr);
  }

  ~SchedulerTest() override {
    // Close waits for the background, which is this test.
    std::thread closing([this] { scheduler_->Close(); });
    while (!state_->closing) std::this_thread::yield();
    env_.RunAll();
    closing.join();
  }

  std::shared_ptr<MemTable> NewMemTable() const {
    return std::make_shared<MemTable>(&state_->comparator());
  }

  uint64_t NewLogFile() {
    const uint64_t number = state_->versions->NewFileNumber();
    EXPECT_TRUE(WriteStringToFile(&env_, "", LogFileName("/db", number)).ok());
    return number;
  }

  // Puts `keys` (letters, each a key) into the memtable and makes it the immutable one.
  void FillAndSwitch(const std::string& keys) {
    MutexLock lock(&state_->mutex);
    const std::shared_ptr<MemTable> memtable = state_->memtable();
    for (const char key : keys) {
      const SequenceNumber sequence = state_->versions->LastSequence() + 1;
      memtable->Add(sequence, kTypeValue, std::string(1, key), std::to_string(sequence));
      state_->versions->SetLastSequence(sequence);
    }
    state_->log_numbers.push_back(NewLogFile());
    state_->immutable_last_sequence = state_->versions->LastSequence();
    state_->Publish(NewMemTable(), memtable);
  }

  void Flush(const std::string& keys) {
    FillAndSwitch(keys);
    scheduler_->Raise();
    env_.RunAll();
  }

  int NumFiles(int level) { return state_->current_view.Pin()->version->num_files(level); }
  bool FlushIsPending() { return state_->pressure.flush_pending; }

  int NumFilesOnDisk(FileType wanted) {
    std::vector<std::string> names;
    EXPECT_TRUE(env_.GetChildren("/db", &names).ok());
    int found = 0;
    for (const std::string& name : names) {
      uint64_t number;
      FileType type;
      found += ParseFileName(name, &number, &type) && type == wanted;
    }
    return found;
  }

  const std::unique_ptr<Cache> cache_{NewLRUCache(1 << 20)};
  const std::unique_ptr<Env> mem_env_;
  ManualEnv env_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<TableCache> table_cache_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(SchedulerTest, NothingIsScheduledWithoutWork) {
  scheduler_->Raise();
  EXPECT_EQ(0u, env_.NumScheduled());
}

TEST_F(SchedulerTest, AFlushIsScheduledOnceAndGivesUpItsLog) {
  FillAndSwitch("abc");
  EXPECT_EQ(2, NumFilesOnDisk(kLogFile));
  scheduler_->Raise();
  scheduler_->Raise();
  EXPECT_EQ(1u, env_.NumScheduled());
  env_.RunAll();
  EXPECT_FALSE(FlushIsPending());
  EXPECT_EQ(1, NumFilesOnDisk(kTableFile));
  EXPECT_EQ(1, NumFilesOnDisk(kLogFile));
  EXPECT_TRUE(scheduler_->WaitForFlush().ok());
}

// Another job begins the manifest while the flush writes its table.
TEST_F(SchedulerTest, AManifestThatIsBegunMeanwhileAllowsForTheNumberOfTheTable) {
  FillAndSwitch("abc");
  scheduler_->Raise();
  const uint64_t table = state_->versions->NewFileNumber() + 1;
  bool is_begun = false;
  env_.on_next_new_file = [&] {
    MutexLock lock(&state_->mutex);
    VersionEdit edit;
    is_begun = state_->versions->LogAndApply(&edit, &state_->mutex).ok();
  };
  env_.RunAll();
  ASSERT_TRUE(is_begun);
  ASSERT_EQ(table, state_->versions->current()->files(2).at(0)->number);
  std::string bytes;
  const uint64_t manifest = state_->versions->ManifestFileNumber();
  ASSERT_TRUE(ReadFileToString(&env_, ManifestFileName("/db", manifest), &bytes).ok());
  ASSERT_GT(bytes.size(), 7u);
  const Slice record(bytes.data() + 7, static_cast<uint8_t>(bytes[4]));  // after its header
  VersionEdit snapshot;
  ASSERT_TRUE(snapshot.DecodeFrom(record).ok());
  EXPECT_EQ(table, snapshot.next_file_number());
}

TEST_F(SchedulerTest, Level0IsCompactedWhenItHasFourTables) {
  Flush("az");  // overlaps nothing and goes down to level 2
  Flush("az");  // to level 1
  for (int i = 0; i < 3; i++) Flush("az");
  EXPECT_EQ(3, NumFiles(0));
  Flush("az");
  EXPECT_EQ(0, NumFiles(0));
  EXPECT_EQ(1, NumFiles(1));
  EXPECT_EQ(NumFiles(1) + NumFiles(2), NumFilesOnDisk(kTableFile));
}

TEST_F(SchedulerTest, ACompactionRunsAFlushThatNoThreadHasComeTo) {
  for (int i = 0; i < 5; i++) Flush("az");
  std::string many;
  for (int i = 0; i < 600; i++) many += static_cast<char>('a' + i % 26);
  FillAndSwitch(many);
  scheduler_->Raise();
  env_.RunOne();  // the flush; the fourth table of level 0 makes a compaction due
  ASSERT_EQ(1u, env_.NumScheduled());
  ASSERT_EQ(4, NumFiles(0));
  bool flush_was_pending = false;
  env_.on_next_new_file = [&] {  // the compaction's first table
    FillAndSwitch("az");
    scheduler_->Raise();
    flush_was_pending = FlushIsPending();
  };
  env_.RunOne();
  EXPECT_TRUE(flush_was_pending);
  EXPECT_FALSE(FlushIsPending());
  EXPECT_EQ(1, NumFiles(0));
  EXPECT_EQ(1u, env_.NumScheduled());  // finds nothing left to do
  env_.RunAll();
}

TEST_F(SchedulerTest, ManualCompactionGoesThroughTheRangeOnly) {
  for (int level = 2; level >= 0; level--) {
    Flush("ab");
    Flush("yz");
  }
  ASSERT_EQ(2, NumFiles(0));
  std::atomic<bool> done{false};
  std::thread caller([&] {
    const Slice begin("a");
    const Slice end("c");
    scheduler_->CompactLevel(0, &begin, &end);
    done = true;
  });
  while (!done) env_.RunAll();
  caller.join();
  EXPECT_EQ(1, NumFiles(0));
}

TEST_F(SchedulerTest, CompactionsThatDoNotConflictRunSideBySide) {
  for (int level = 2; level >= 1; level--) {
    Flush("ab");
    Flush("yz");
  }
  for (int i = 0; i < 3; i++) Flush("yz");
  ASSERT_EQ(3, NumFiles(0));
  std::atomic<bool> done{false};
  std::thread caller([&] {
    const Slice begin("a");
    const Slice end("c");
    scheduler_->CompactLevel(1, &begin, &end);
    done = true;
  });
  while (env_.NumScheduled() == 0) std::this_thread::yield();
  FillAndSwitch("yz");
  scheduler_->Raise();
  env_.RunOne();  // the flush, whichever call comes first; a fourth table is in level 0 now
  EXPECT_EQ(4, NumFiles(0));
  EXPECT_EQ(2u, env_.NumScheduled());  // level 1 of a to c, and level 0 of y to z
  while (!done) env_.RunAll();
  caller.join();
  env_.RunAll();
  EXPECT_EQ(0, NumFiles(0));
  EXPECT_EQ(1, NumFiles(1));
}

TEST_F(SchedulerTest, ManualCompactionOfNothingReturns) {
  std::thread caller([&] { scheduler_->CompactLevel(3, nullptr, nullptr); });
  caller.join();
}

TEST_F(SchedulerTest, AfterABackgroundErrorNothingIsStarted) {
  {
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("the test", Status::IOError("disk full"));
  }
  FillAndSwitch("a");
  scheduler_->Raise();
  EXPECT_EQ(0u, env_.NumScheduled());
  EXPECT_TRUE(scheduler_->WaitForFlush().IsIOError());
  scheduler_->CompactLevel(0, nullptr, nullptr);  // returns
}

TEST_F(SchedulerTest, ATableThatOnlyAReaderKeepsIsRemovedWhenTheReaderGoes) {
  for (int i = 0; i < 5; i++) Flush("az");
  std::shared_ptr<const ReadView> view = state_->current_view.Pin();
  Flush("az");
  const int in_use = NumFiles(0) + NumFiles(1) + NumFiles(2);
  EXPECT_GT(NumFilesOnDisk(kTableFile), in_use);
  view.reset();
  EXPECT_FALSE(state_->obsolete_files.empty());
  scheduler_->Raise();
  env_.RunAll();
  EXPECT_EQ(in_use, NumFilesOnDisk(kTableFile));
}

TEST_F(SchedulerTest, SpentSeeksCompactTheTable) {
  for (int i = 0; i < 3; i++) Flush("az");
  ASSERT_EQ(1, NumFiles(0));
  scheduler_->SuggestCompaction({state_->current_view.Pin()->version->files(0)[0], 0});
  EXPECT_EQ(1u, env_.NumScheduled());
  env_.RunAll();
  EXPECT_EQ(0, NumFiles(0));
}

}  // namespace
}  // namespace leveldb
