// Tests what a writer does about a flush that it waits for.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "db/state/db_state.h"
#include "db/write/idle_log_test.h"
#include "db/write/write_controller.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

class WriteControllerWaitTest : public testing::Test {
 protected:
  WriteControllerWaitTest() {
    MutexLock lock(&state_->mutex);
    bool reused;
    EXPECT_TRUE(state_->versions->CreateFresh().ok());
    EXPECT_TRUE(state_->versions->Recover(&reused).ok());
    memtable_->Add(1, kTypeValue, "key", "value");
  }

  std::unique_ptr<DbState> NewState() {
    Options options;
    options.env = env_.get();
    return std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
  }

  // Simulates a flush that never ends; when its thread has been moved, it fails.
  void Flush() {
    const AwaitedThread::Scope awaited(&state_->flush_thread);
    MutexLock lock(&state_->mutex);
    state_->Publish(memtable_, std::make_shared<MemTable>(&state_->comparator()));
    while (state_->stats.flush_moves == 0) {
      state_->work_finished.WaitFor(std::chrono::milliseconds(10));
    }
    state_->RecordBackgroundError("flushing", Status::IOError("it was moved"));
  }

  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  const std::unique_ptr<DbState> state_ = NewState();
  std::shared_ptr<MemTable> memtable_ = std::make_shared<MemTable>(&state_->comparator());
};

// The flush sleeps, which looks exactly like having no processor.
TEST_F(WriteControllerWaitTest, AFlushThatDoesNotRunIsMoved) {
  std::thread flush([this] { Flush(); });
  while (!state_->pressure.flush_pending) std::this_thread::yield();
  WriteController controller(state_.get(), 0);
  IdleLog log;
  const Status status = controller.MakeRoom(/*force_switch=*/true, &log, &memtable_);
  EXPECT_EQ("IO error: it was moved", status.ToString());
  flush.join();
}

}  // namespace
}  // namespace leveldb
