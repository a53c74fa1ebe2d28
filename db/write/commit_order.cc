#include "db/write/commit_order.h"

#include <optional>

#include "db/state/db_state.h"
#include "port/spin_wait.h"
#include "util/scoped_increment.h"

namespace leveldb {

CommitOrder::CommitOrder(DbState* state)
    : versions_(state->versions.get()),
      waiting_for_turns_(&state->pressure.waiting.for_turns),
      last_(versions_->LastSequence()) {}

void CommitOrder::Ready::Set(const Turn& turn) {
  last.store(turn.last, std::memory_order_relaxed);
  first.store(turn.first, std::memory_order_release);
}

bool CommitOrder::WaitForTurn(const Turn& turn, size_t shard) {
  ready_[shard].Set(turn);
  std::optional<ScopedIncrement> waiting;
  for (SpinWait wait;; wait.Once()) {
    if (wait.IsLong() && !waiting.has_value()) waiting.emplace(waiting_for_turns_);
    while (ShowNext()) continue;
    if (versions_->LastSequence() >= turn.last) return true;
    if (is_broken_.load(std::memory_order_acquire)) break;
  }
  // The failed write may be a later one. All writes that ended before the failure are ready by now.
  while (ShowNext()) continue;
  return versions_->LastSequence() >= turn.last;
}

// Makes the next write visible if it is ready. A stale Ready of an earlier write is harmless, also
// if half of it is read: that write is visible already, so AdvanceLastSequence changes nothing.
bool CommitOrder::ShowNext() {
  const SequenceNumber visible = versions_->LastSequence();
  for (const Ready& ready : ready_) {
    if (ready.first.load(std::memory_order_acquire) != visible + 1) continue;
    return versions_->AdvanceLastSequence(visible, ready.last.load(std::memory_order_relaxed));
  }
  return false;
}

}  // namespace leveldb
