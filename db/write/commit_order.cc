#include "db/write/commit_order.h"

#include "port/spin_wait.h"

namespace leveldb {

namespace {

// From here to the end of the scope a turn is awaited.
class AwaitedTurn {
 public:
  explicit AwaitedTurn(std::atomic<int>* count) : count_(count) {
    count_->fetch_add(1, std::memory_order_relaxed);
  }
  ~AwaitedTurn() { count_->fetch_sub(1, std::memory_order_relaxed); }
  AwaitedTurn(const AwaitedTurn&) = delete;
  AwaitedTurn& operator=(const AwaitedTurn&) = delete;

 private:
  std::atomic<int>* const count_;
};

}  // namespace

void CommitOrder::Ready::Set(const Turn& turn) {
  last.store(turn.last, std::memory_order_relaxed);
  first.store(turn.first, std::memory_order_release);
}

bool CommitOrder::WaitForTurn(const Turn& turn, size_t lane) {
  ready_[lane].Set(turn);
  const AwaitedTurn awaited(awaited_turns_);
  for (SpinWait wait;; wait.Once()) {
    while (ShowNext()) continue;
    if (versions_->LastSequence() >= turn.last) return true;
    if (is_broken_.load(std::memory_order_acquire)) break;
  }
  // What has failed may have come later. All that ended before it is seen by now.
  while (ShowNext()) continue;
  return versions_->LastSequence() >= turn.last;
}

// Makes the write visible that comes next, if it is ready. What a lane has said of an earlier write
// does no harm, also where half of it is read: that one is visible, so that nothing is changed.
bool CommitOrder::ShowNext() {
  const SequenceNumber visible = versions_->LastSequence();
  for (const Ready& ready : ready_) {
    if (ready.first.load(std::memory_order_acquire) != visible + 1) continue;
    return versions_->AdvanceLastSequence(visible, ready.last.load(std::memory_order_relaxed));
  }
  return false;
}

}  // namespace leveldb
