// To move forward, the cursor reads the entries one after the other.
//
// A search begins with the restart points: the target can only be in the run before the first
// restart point at or after it, or at that point itself. Then the run is read.
//
// Entries cannot be decoded backward. The run that ends before the current entry is read once from
// its restart point, and a history of the steps lets the cursor step back through it.

#include "table/block_cursor.h"

#include <algorithm>

#include "table/block_search.h"
#include "util/prefetch.h"

namespace leveldb {

namespace {

// The bytes of a run to prefetch. A search reads half of a run on average, so more would not pay.
constexpr size_t kRunPrefetch = 1024;

// The number of runs up to which all restart points of a block are prefetched before a search.
constexpr uint32_t kPrefetchedRestarts = 8;

void PrefetchRestartPoints(const Block& block) {
  if (block.restart_count() > kPrefetchedRestarts) return;
  for (uint32_t i = 0; i < block.restart_count(); i++) {
    const char* const p = block.RestartPoint(i);
    if (p != nullptr) Prefetch(p, 1);
  }
}

}  // namespace

void BlockCursor::SeekToFirst() {
  StandOnNothing();
  if (block_.entries() != block_.limit()) ReadRestart(block_.entries());
}

void BlockCursor::SeekToLast() {
  StandOnNothing();
  GoToEntryBefore(block_.limit());
}

void BlockCursor::Seek(const KeyOrder& order, const Slice& target) {
  StandOnNothing();
  if (block_.entries() == block_.limit()) return;
  PrefetchRestartPoints(block_);
  uint32_t restart;
  if (!FindRestart(block_, order, target, 0, block_.restart_count(), &restart)) {
    return FailAsCorrupt();
  }
  SeekBeforeRestart(order, target, restart);
}

void BlockCursor::SeekBeforeRestart(const KeyOrder& order, const Slice& target, uint32_t restart) {
  if (restart == 0) return SeekToFirst();
  StandOnNothing();
  const char* const limit = block_.limit();
  const char* const end = restart < block_.restart_count() ? block_.RestartPoint(restart) : limit;
  if (end == nullptr) return FailAsCorrupt();

  ReadRestart(block_.RestartPoint(restart - 1));
  if (!Valid()) return;
  if (next_ < end && WalkTo(order, target, end)) return;
  if (next_ > end) return FailAsCorrupt();
  if (end == limit) return StandOnNothing();
  ReadRestart(end);
}

// Moves from an entry before the target to the first at or after it. Returns false if there is none
// up to `end`. Returns true if the block is malformed; the cursor is then invalid.
bool BlockCursor::WalkTo(const KeyOrder& order, const Slice& target, const char* end) {
  Prefetch(next_, std::min(static_cast<size_t>(end - next_), kRunPrefetch));
  TargetTracker tracker(order, target);
  tracker.Start(key());
  do {
    BlockEntry entry;
    if (!entry.Decode(next_, block_.limit())) {
      FailAsCorrupt();
      return true;
    }
    TakeEntry(next_, entry);
    if (!Valid() || !tracker.Precedes(key(), entry.shared)) return true;
  } while (next_ < end);
  return false;
}

void BlockCursor::Prev() {
  assert(Valid());
  if (history_.empty()) {
    GoToEntryBefore(entry_);
  } else {
    StepBack();
  }
}

// Moves to the entry that ends at `stop`, with the steps to it in the history; makes the cursor
// invalid if `stop` is the start of the entries.
void BlockCursor::GoToEntryBefore(const char* stop) {
  StandOnNothing();
  if (stop == block_.entries()) return;
  ReadRestart(LastRestartBefore(stop));
  while (Valid() && next_ < stop) {
    BlockEntry entry;
    if (!entry.Decode(next_, stop) || entry.shared > key_size_) return FailAsCorrupt();
    history_.Push(entry_, key(), entry.shared);
    TakeEntry(next_, entry);
  }
  if (Valid() && next_ != stop) FailAsCorrupt();
}

// Returns the last restart point before `stop`, which is after the first one.
const char* BlockCursor::LastRestartBefore(const char* stop) const {
  uint32_t first = 0;  // known to be before `stop`
  uint32_t last = block_.restart_count();
  while (last - first > 1) {
    const uint32_t middle = first + (last - first) / 2;
    const char* const p = block_.RestartPoint(middle);
    if (p == nullptr) return nullptr;
    if (p < stop) {
      first = middle;
    } else {
      last = middle;
    }
  }
  return block_.RestartPoint(first);
}

void BlockCursor::StepBack() {
  const RunHistory::Step step = history_.Pop();
  const size_t key_size = step.shared + step.lost.size();
  key_buffer_.Assemble(key_, step.shared, step.lost.data(), step.lost.size(), false);
  key_ = key_buffer_.data();
  key_size_ = key_size;

  BlockEntry entry;
  const bool decoded = entry.Decode(step.entry, block_.limit());
  if (!decoded) return FailAsCorrupt();  // it was read before: the block's bytes have changed
  entry_ = step.entry;
  value_ = entry.value();
  next_ = entry.end();
}

}  // namespace leveldb
