#include "db/write/write_queue.h"

#include <cassert>
#include <utility>

#include "db/mem/batch_insert.h"
#include "db/state/db_state.h"
#include "db/write/write_batch_access.h"
#include "port/cpu.h"

namespace leveldb {

namespace {

// A group's record stays below this, so that a small write is not held up by large ones behind it.
constexpr size_t kMaxGroupBytes = size_t{1} << 20;
// A small leader takes on at most this much more.
constexpr size_t kSmallBatchBytes = size_t{128} << 10;
// The joined batch keeps its memory for the next group only up to this size.
constexpr size_t kMaxKeptBytes = 2 * kMaxGroupBytes;

// How often a writer looks at its state before it goes to sleep.
constexpr int kSpins = 200;

}  // namespace

struct WriteQueue::Writer {
  enum State : uint32_t { kWaiting, kLeading, kDone };

  WriteBatch* batch;  // nullptr: switch the memtable
  bool sync;
  Status status;
  std::atomic<Writer*> next{nullptr};
  std::atomic<uint32_t> state{kWaiting};

  // Sleeps until the state is no longer kWaiting and returns it.
  uint32_t Await() {
    for (int i = 0; i < kSpins; i++) {
      const uint32_t now = state.load(std::memory_order_acquire);
      if (now != kWaiting) return now;
      CpuRelax();
    }
    state.wait(kWaiting, std::memory_order_acquire);
    return state.load(std::memory_order_acquire);
  }

  // The writer may be gone as soon as this has stored the state.
  void Set(State now) {
    state.store(now, std::memory_order_release);
    state.notify_one();
  }

  // Waits for the writer behind this one to complete its entry into the queue.
  Writer* AwaitNext() {
    Writer* behind = next.load(std::memory_order_acquire);
    while (behind == nullptr) {
      CpuRelax();
      behind = next.load(std::memory_order_acquire);
    }
    return behind;
  }
};

WriteQueue::WriteQueue(DbState* state, uint64_t log_number, std::unique_ptr<WritableFile> file,
                       uint64_t log_length)
    : state_(state), log_(&state->unsynced_logs), stall_(state, &log_) {
  log_.Roll(log_number, std::move(file), log_length);
  MutexLock lock(&state_->mutex);
  memtable_ = state_->memtable();
}

Status WriteQueue::Write(WriteBatch* batch, bool sync) {
  assert(batch != nullptr);
  Writer writer{batch, sync, Status()};
  return Enter(&writer);
}

Status WriteQueue::SwitchMemtable() {
  Writer writer{nullptr, false, Status()};
  return Enter(&writer);
}

Status WriteQueue::Enter(Writer* writer) {
  Writer* const ahead = tail_.exchange(writer, std::memory_order_acq_rel);
  if (ahead != nullptr) {
    ahead->next.store(writer, std::memory_order_release);
    if (writer->Await() == Writer::kDone) return std::move(writer->status);
  }
  Lead(writer);
  return std::move(writer->status);
}

void WriteQueue::Lead(Writer* leader) {
  const size_t bytes = leader->batch == nullptr ? 0 : leader->batch->ApproximateSize();
  Status status = stall_.MakeRoom(bytes, /*force_switch=*/leader->batch == nullptr, &memtable_);
  Writer* last = leader;
  if (status.ok() && leader->batch != nullptr) {
    Slice record;
    last = CollectGroup(leader, &record);
    status = Commit(record, leader->sync);
    if (joined_.ApproximateSize() > kMaxKeptBytes) joined_ = WriteBatch();
  }
  leader->status = status;
  for (Writer* writer = leader; writer != last;) {
    writer = writer->next.load(std::memory_order_acquire);
    writer->status = status;
  }
  LeaveTogether(leader, last);
}

// Takes the writers from `leader` to `last` out of the queue, lets the next one lead, and tells the
// group that it is done.
void WriteQueue::LeaveTogether(Writer* leader, Writer* last) {
  Writer* successor = last->next.load(std::memory_order_acquire);
  if (successor == nullptr) {
    Writer* expected = last;
    if (!tail_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) {
      successor = last->AwaitNext();
    }
  }
  if (successor != nullptr) successor->Set(Writer::kLeading);
  if (leader == last) return;
  for (Writer* writer = leader->next.load(std::memory_order_acquire);;) {
    const bool is_last = writer == last;
    Writer* const behind = writer->next.load(std::memory_order_acquire);
    writer->Set(Writer::kDone);
    if (is_last) return;
    writer = behind;
  }
}

// Joins the leader's batch and those behind it as far as the limits allow. Returns the last writer
// of the group; `*record` is valid until the next group.
WriteQueue::Writer* WriteQueue::CollectGroup(Writer* leader, Slice* record) {
  const size_t first_size = leader->batch->ApproximateSize();
  const size_t limit =
      first_size <= kSmallBatchBytes ? first_size + kSmallBatchBytes : kMaxGroupBytes;
  WriteBatch* group = leader->batch;
  Writer* last = leader;
  size_t size = first_size;
  while (true) {
    Writer* const writer = last->next.load(std::memory_order_acquire);
    if (writer == nullptr || writer->batch == nullptr) break;
    if (writer->sync && !leader->sync) break;  // its promise would be weaker than asked for
    size += writer->batch->ApproximateSize();
    if (size > limit) break;
    if (group == leader->batch) {  // the caller's batch must stay as it is
      joined_.Clear();
      joined_.Append(*leader->batch);
      group = &joined_;
    }
    joined_.Append(*writer->batch);
    last = writer;
  }
  WriteBatchAccess::SetSequence(group, state_->versions->LastSequence() + 1);
  *record = WriteBatchAccess::Bytes(*group);
  return last;
}

Status WriteQueue::Commit(const Slice& record, bool sync) {
  const SequenceNumber first = BatchSequence(record);
  const uint32_t count = BatchCount(record);
  if (count > kMaxSequenceNumber - (first - 1)) {
    return Status::InvalidArgument(state_->dbname(), "sequence numbers are used up");
  }
  Status status = log_.Append(record, sync);
  if (status.ok()) status = InsertBatch(record, memtable_.get());
  if (!status.ok()) {
    // The log's end is of unknown content: a write behind it could be lost without notice.
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("writing the log", status);
    return status;
  }
  if (count > 0) state_->versions->SetLastSequence(first + count - 1);
  return status;
}

}  // namespace leveldb
