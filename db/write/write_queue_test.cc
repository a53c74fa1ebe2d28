#include "db/write/write_queue.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "db/files/filename.h"
#include "db/state/db_state.h"
#include "db/write/file_log.h"
#include "db/write/idle_log_test.h"
#include "db/write/write_batch_access.h"
#include "filelog/log_reader.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Records the appends and syncs of the log, in order, and makes them fail on demand.
struct LogJournal {
  std::string text;
  bool fail_append = false;
  bool fail_sync = false;
  std::function<void()> before_append;
};

class JournalledFile final : public WritableFile {
 public:
  JournalledFile(WritableFile* target, LogJournal* journal) : target_(target), journal_(journal) {}

  Status Append(const Slice& data) override {
    if (journal_->before_append) journal_->before_append();
    if (journal_->fail_append) return Status::IOError("log", "disk full");
    return target_->Append(data);
  }
  Status Flush() override {
    journal_->text += "w";
    return target_->Flush();
  }
  Status Sync() override {
    if (journal_->fail_sync) return Status::IOError("log", "no sync");
    journal_->text += "s";
    return target_->Sync();
  }
  Status Close() override { return target_->Close(); }

 private:
  const std::unique_ptr<WritableFile> target_;
  LogJournal* const journal_;
};

class JournalledEnv final : public EnvWrapper {
 public:
  JournalledEnv(Env* target, LogJournal* journal) : EnvWrapper(target), journal_(journal) {}

  Status NewWritableFile(const std::string& path, WritableFile** file) override {
    const Status status = EnvWrapper::NewWritableFile(path, file);
    if (status.ok()) *file = new JournalledFile(*file, journal_);
    return status;
  }

 private:
  LogJournal* const journal_;
};

class NoWork final : public WorkSignal {
 public:
  void Raise() override { raised++; }
  int raised = 0;
};

// Accepts `writes` writes, then has no room. A job that could have made some fails meanwhile.
class FullLog final : public IdleLog {
 public:
  FullLog(DbState* state, int writes) : state_(state), writes_left_(writes) {}

  Status Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) override {
    if (writes_left_ == 0) return Refuse(log_is_unchanged);
    writes_left_--;
    memtable->Add(group.sequence, kTypeValue, "key", "value");
    return Status::OK();
  }
  Status StartNext(uint64_t, SequenceNumber, MemTable*, bool* log_is_unchanged) override {
    return Refuse(log_is_unchanged);
  }

 private:
  Status Refuse(bool* log_is_unchanged) {
    *log_is_unchanged = true;
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("a spill", Status::IOError("disk full"));
    return Status::IOError("log", "no room");
  }

  DbState* const state_;
  int writes_left_;
};

class WriteQueueTest : public testing::Test {
 protected:
  WriteQueueTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get(), &journal_) {
    Options options;
    options.env = &env_;
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
    state_->work_signal = &work_;
    env_.CreateDir("/db");
    WritableFile* file;
    EXPECT_TRUE(env_.NewWritableFile(LogFileName("/db", 7), &file).ok());
    {
      MutexLock lock(&state_->mutex);
      state_->log_numbers.push_back(7);
      bool reused;
      EXPECT_TRUE(state_->versions->CreateFresh().ok());
      EXPECT_TRUE(state_->versions->Recover(&reused).ok());
      state_->Publish(std::make_shared<MemTable>(&state_->comparator()), nullptr);
    }
    queue_ = std::make_unique<WriteQueue>(
        state_.get(),
        std::make_unique<FileLog>(state_.get(), 7, std::unique_ptr<WritableFile>(file), 0));
    journal_.text.clear();
  }

  Status Put(const std::string& key, const std::string& value, bool sync = false) {
    WriteBatch batch;
    batch.Put(key, value);
    return queue_->Write(&batch, sync);
  }

  std::string Get(const std::string& key) {
    const auto view = state_->current_view.Pin();
    ValueType type;
    Slice value;
    const LookupKey lookup(key, state_->versions->LastSequence());
    if (view->memtable->Find(lookup, &type, &value) ||
        (view->immutable != nullptr && view->immutable->Find(lookup, &type, &value))) {
      return value.ToString();
    }
    return "(none)";
  }

  // Returns the sequences and counts of the log's records: "1+2 3+1".
  std::string LogRecords() {
    SequentialFile* file;
    EXPECT_TRUE(env_.NewSequentialFile(LogFileName("/db", 7), &file).ok());
    const std::unique_ptr<SequentialFile> owned(file);
    LogReader reader(file, nullptr, /*checksum=*/true);
    Slice record;
    std::string scratch;
    std::string text;
    while (reader.ReadRecord(&record, &scratch)) {
      text +=
          std::to_string(BatchSequence(record)) + "+" + std::to_string(BatchCount(record)) + " ";
    }
    return text;
  }

  LogJournal journal_;
  const std::unique_ptr<Env> mem_env_;
  JournalledEnv env_;
  NoWork work_;
  std::unique_ptr<DbState> state_;
  std::unique_ptr<WriteQueue> queue_;
};

TEST_F(WriteQueueTest, WritesReachLogAndMemtableInOrder) {
  ASSERT_TRUE(Put("a", "1").ok());
  WriteBatch batch;
  batch.Put("b", "2");
  batch.Delete("a");
  ASSERT_TRUE(queue_->Write(&batch, false).ok());
  EXPECT_EQ(3u, state_->versions->LastSequence());
  EXPECT_EQ(2u, BatchSequence(WriteBatchAccess::Bytes(batch)));
  EXPECT_EQ("2", Get("b"));
  EXPECT_EQ("", Get("a"));
  EXPECT_EQ("1+1 2+2 ", LogRecords());
}

TEST_F(WriteQueueTest, SingleEntriesMakeTheSameRecordsAsBatches) {
  ASSERT_TRUE(queue_->Put("a", "1", false).ok());
  ASSERT_TRUE(queue_->Put("", "", true).ok());
  ASSERT_TRUE(queue_->Delete("a", false).ok());
  EXPECT_EQ("1+1 2+1 3+1 ", LogRecords());
  EXPECT_EQ("", Get("a"));
  EXPECT_EQ("", Get(""));
  EXPECT_EQ(3u, state_->versions->LastSequence());
}

TEST_F(WriteQueueTest, WhatHasNoLengthOf32BitsIsRefused) {
  constexpr size_t kBytes = size_t{1} << 32;
  void* const zeros =
      mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(MAP_FAILED, zeros);
  const Slice huge(static_cast<const char*>(zeros), kBytes);
  EXPECT_TRUE(queue_->Put("key", huge, false).IsInvalidArgument());
  EXPECT_TRUE(queue_->Put(huge, "value", false).IsInvalidArgument());
  EXPECT_TRUE(queue_->Delete(huge, false).IsInvalidArgument());
  EXPECT_EQ(0u, state_->versions->LastSequence());
  EXPECT_TRUE(Put("key", "value").ok());
  munmap(zeros, kBytes);
}

TEST_F(WriteQueueTest, AnEmptyBatchTakesNoSequence) {
  WriteBatch batch;
  ASSERT_TRUE(queue_->Write(&batch, true).ok());
  EXPECT_EQ(0u, state_->versions->LastSequence());
}

TEST_F(WriteQueueTest, ASyncedWriteSyncsTheLogBeforeTheMemtableSwitchFirst) {
  ASSERT_TRUE(Put("a", "1").ok());
  ASSERT_TRUE(queue_->SwitchMemtable().ok());
  EXPECT_EQ(1, work_.raised);
  ASSERT_TRUE(Put("b", "2").ok());
  EXPECT_EQ(std::string::npos, journal_.text.find('s'));
  ASSERT_TRUE(Put("c", "3", /*sync=*/true).ok());
  EXPECT_EQ("ss", journal_.text.substr(journal_.text.size() - 2));
  journal_.text.clear();
  ASSERT_TRUE(Put("d", "4", /*sync=*/true).ok());
  EXPECT_EQ("ws", journal_.text);  // the older log needs no second sync
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("4", Get("d"));
}

TEST_F(WriteQueueTest, SwitchingAnEmptyMemtableDoesNothing) {
  ASSERT_TRUE(queue_->SwitchMemtable().ok());
  EXPECT_EQ(0, work_.raised);
  MutexLock lock(&state_->mutex);
  EXPECT_EQ(nullptr, state_->immutable());
}

TEST_F(WriteQueueTest, AfterALogErrorAllWritesFailAndReadsGoOn) {
  ASSERT_TRUE(Put("a", "1").ok());
  journal_.fail_append = true;
  EXPECT_TRUE(Put("b", "2").IsIOError());
  journal_.fail_append = false;
  EXPECT_TRUE(Put("c", "3").IsIOError());
  EXPECT_TRUE(queue_->SwitchMemtable().IsIOError());
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("(none)", Get("b"));
  EXPECT_EQ("(none)", Get("c"));
  EXPECT_EQ(1u, state_->versions->LastSequence());
}

TEST_F(WriteQueueTest, AFailedSyncIsAFailedWrite) {
  journal_.fail_sync = true;
  EXPECT_TRUE(Put("a", "1", /*sync=*/true).IsIOError());
  EXPECT_EQ("(none)", Get("a"));
}

TEST_F(WriteQueueTest, AWriteWithoutRoomIsToldWhyNoneIsMade) {
  queue_ = std::make_unique<WriteQueue>(state_.get(), std::make_unique<FullLog>(state_.get(), 0));
  const Status status = Put("a", "1");
  EXPECT_NE(std::string::npos, status.ToString().find("disk full")) << status.ToString();
}

TEST_F(WriteQueueTest, ASwitchWithoutRoomIsToldTheSame) {
  queue_ = std::make_unique<WriteQueue>(state_.get(), std::make_unique<FullLog>(state_.get(), 1));
  ASSERT_TRUE(Put("a", "1").ok());
  const Status status = queue_->SwitchMemtable();
  EXPECT_NE(std::string::npos, status.ToString().find("disk full")) << status.ToString();
}

// The leader that is at work when the process forks does not exist in the child.
TEST_F(WriteQueueTest, AForkedChildDoesNotQueue) {
  std::atomic<bool> leads{false};
  std::atomic<bool> goes_on{false};
  journal_.before_append = [&] {
    leads = true;
    while (!goes_on) std::this_thread::yield();
  };
  std::thread writer([this] { EXPECT_TRUE(Put("a", "1").ok()); });
  while (!leads) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    _exit(queue_->Put("b", "2", false).IsIOError() && queue_->SwitchMemtable().IsIOError() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(0, WEXITSTATUS(status));
  goes_on = true;
  writer.join();
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("(none)", Get("b"));
}

TEST_F(WriteQueueTest, ConcurrentWritersAreAllServedAndBatchesStayWhole) {
  constexpr int kThreads = 4;
  constexpr int kWrites = 2000;
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; t++) {
    writers.emplace_back([this, t] {
      for (int i = 0; i < kWrites; i++) {
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        if (i % 2 == 0) {
          WriteBatch batch;
          batch.Put(key, "x");
          batch.Put("last." + std::to_string(t), key);
          ASSERT_TRUE(queue_->Write(&batch, i % 97 == 0).ok());
        } else {
          ASSERT_TRUE(queue_->Put(key, "x", i % 91 == 0).ok());
          ASSERT_TRUE(queue_->Put("last." + std::to_string(t), key, false).ok());
        }
        ASSERT_EQ(key, Get("last." + std::to_string(t)));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(uint64_t{kThreads} * kWrites * 2, state_->versions->LastSequence());
  for (int t = 0; t < kThreads; t++) {
    for (int i = 0; i < kWrites; i++) {
      ASSERT_EQ("x", Get(std::to_string(t) + "." + std::to_string(i)));
    }
  }
}

}  // namespace
}  // namespace leveldb
