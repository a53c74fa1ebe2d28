// Tests writes that find no memory, not even for an error. It is a program of its own because it
// replaces the allocation functions.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/state/db_state.h"
#include "db/write/idle_log_test.h"
#include "db/write/write_queue.h"
#include "leveldb/helpers/memenv.h"

namespace {

thread_local bool has_no_memory = false;

// Not inlined: otherwise GCC sees that free() takes what `new` has returned, but not that it comes
// from malloc.
__attribute__((noinline)) void GiveBack(void* memory) {
  free(memory);
}

}  // namespace

void* operator new(size_t size) {
  void* const memory = has_no_memory ? nullptr : malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  GiveBack(memory);
}
void operator delete(void* memory, size_t /*size*/) noexcept {
  GiveBack(memory);
}
void* operator new[](size_t size) {
  return operator new(size);
}
void operator delete[](void* memory) noexcept {
  GiveBack(memory);
}
void operator delete[](void* memory, size_t /*size*/) noexcept {
  GiveBack(memory);
}

namespace leveldb {
namespace {

// Memory runs out for the first write after it has been numbered and another write after it.
class StarvedLog final : public IdleLog {
 public:
  StarvedLog() : IdleLog(2) {}

  Status Write(const WriteGroup&, MemTable*, bool*) override {
    has_no_memory = true;
    throw std::bad_alloc();
  }
  bool WriteShared(WriteGroup* group, MemTable*, CommitOrder* order, Status* status) override {
    if (!is_sharded) return false;
    CommitOrder::Turn turn;
    EXPECT_TRUE(order->Begin(
        group->Count(), [](SequenceNumber) { return true; }, &turn));
    if (begun_++ == 0) {
      while (begun_ < 2) std::this_thread::yield();
      has_no_memory = true;
      throw std::bad_alloc();
    }
    EXPECT_FALSE(order->End(turn, group->shard));
    *status = Status::IOError("a write before this one has failed");
    return true;
  }

  bool is_sharded = true;

 private:
  std::atomic<int> begun_{0};
};

class WriteQueueMemoryTest : public testing::Test {
 protected:
  WriteQueueMemoryTest() {
    Options options;
    options.env = env_.get();
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
    {
      MutexLock lock(&state_->mutex);
      bool reused;
      EXPECT_TRUE(state_->versions->CreateFresh().ok());
      EXPECT_TRUE(state_->versions->Recover(&reused).ok());
      state_->Publish(std::make_shared<MemTable>(&state_->comparator()), nullptr);
    }
    auto log = std::make_unique<StarvedLog>();
    log_ = log.get();
    queue_ = std::make_unique<WriteQueue>(state_.get(), std::move(log));
  }

  void ExpectThatWritesFail() {
    for (int i = 0; i < 3; i++) {
      const Status status = queue_->Put("later", "1", false);
      EXPECT_TRUE(status.IsIOError()) << status.ToString();
      EXPECT_NE(std::string::npos, status.ToString().find("out of memory")) << status.ToString();
    }
    EXPECT_EQ(0u, state_->versions->LastSequence());
  }

  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  std::unique_ptr<DbState> state_;
  std::unique_ptr<WriteQueue> queue_;
  StarvedLog* log_;
};

// A write of one shard fails, and the write of the other shard, which waits for it, returns an
// error.
TEST_F(WriteQueueMemoryTest, NobodyWaitsForAWriteThatHasFailed) {
  std::atomic<int> thrown{0};
  std::atomic<int> failed{0};
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; t++) {
    writers.emplace_back([&] {
      try {
        if (queue_->Put("key", "1", false).IsIOError()) failed++;
      } catch (const std::bad_alloc&) {
        has_no_memory = false;
        thrown++;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(1, thrown.load());
  EXPECT_EQ(1, failed.load());
  ExpectThatWritesFail();
}

TEST_F(WriteQueueMemoryTest, AnExclusiveWriteLeavesTheQueue) {
  log_->is_sharded = false;
  EXPECT_THROW(static_cast<void>(queue_->Put("key", "1", false)), std::bad_alloc);
  has_no_memory = false;
  ExpectThatWritesFail();
}

TEST(StatusMemoryTest, AnAssignmentThatFailsChangesNothing) {
  Status status = Status::IOError("before");
  const Status other = Status::IOError("another one");
  has_no_memory = true;
  EXPECT_THROW(status = other, std::bad_alloc);
  has_no_memory = false;
  EXPECT_EQ("IO error: before", status.ToString());
}

}  // namespace
}  // namespace leveldb
