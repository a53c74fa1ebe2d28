#include "db/write/write_queue.h"

#include <cassert>
#include <new>
#include <thread>
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
  enum Kind { kBatch, kPut, kDelete, kSwitch };

  Kind kind;
  bool sync;
  WriteBatch* batch;  // kBatch
  Slice key;          // kPut, kDelete
  Slice value;        // kPut
  Status status;
  std::atomic<Writer*> next{nullptr};
  std::atomic<uint32_t> state{kWaiting};

  // The bytes of its part of a record, or a little more.
  size_t Size() const {
    constexpr size_t kTagAndLengths = 11;
    return kind == kBatch ? batch->ApproximateSize()
                          : kBatchHeaderSize + kTagAndLengths + key.size() + value.size();
  }

  // Appends its entries to `record` and counts them in its header.
  void AppendTo(std::string* record) const {
    if (kind == kBatch) {
      const Slice bytes = WriteBatchAccess::Bytes(*batch);
      SetBatchCount(record, BatchCount(*record) + BatchCount(bytes));
      record->append(bytes.data() + kBatchHeaderSize, bytes.size() - kBatchHeaderSize);
      return;
    }
    SetBatchCount(record, BatchCount(*record) + 1);
    record->push_back(static_cast<char>(kind == kPut ? kTypeValue : kTypeDeletion));
    AppendLengthPrefixed(record, key);
    if (kind == kPut) AppendLengthPrefixed(record, value);
  }

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
    for (int i = 0; behind == nullptr; i++) {
      if (i < kSpins) {
        CpuRelax();
      } else {
        std::this_thread::yield();  // it may be waiting for this very core
      }
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
  Writer writer{Writer::kBatch, sync, batch, Slice(), Slice(), Status()};
  return Enter(&writer);
}

Status WriteQueue::Put(const Slice& key, const Slice& value, bool sync) {
  Writer writer{Writer::kPut, sync, nullptr, key, value, Status()};
  return Enter(&writer);
}

Status WriteQueue::Delete(const Slice& key, bool sync) {
  Writer writer{Writer::kDelete, sync, nullptr, key, Slice(), Status()};
  return Enter(&writer);
}

Status WriteQueue::SwitchMemtable() {
  Writer writer{Writer::kSwitch, false, nullptr, Slice(), Slice(), Status()};
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
  Writer* last = leader;
  Status status;
  try {
    status = WriteGroup(leader, &last);
  } catch (const std::bad_alloc&) {
    // The queue has to go on. How far the write came is not known.
    status = Status::IOError(state_->dbname(), "out of memory in a write");
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("a write", status);
  }
  if (joined_.capacity() > kMaxKeptBytes) std::string().swap(joined_);
  leader->status = status;
  for (Writer* writer = leader; writer != last;) {
    writer = writer->next.load(std::memory_order_acquire);
    writer->status = status;
  }
  LeaveTogether(leader, last);
}

// Writes the leader's entries and those of the writers behind it, up to `*last`.
Status WriteQueue::WriteGroup(Writer* leader, Writer** last) {
  const bool is_switch = leader->kind == Writer::kSwitch;
  const Status status =
      stall_.MakeRoom(is_switch ? 0 : leader->Size(), /*force_switch=*/is_switch, &memtable_);
  if (!status.ok() || is_switch) return status;
  Slice record;
  *last = CollectGroup(leader, &record);
  return Commit(record, leader->sync);
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

// Joins the leader's entries and those behind it as far as the limits allow. Returns the last
// writer of the group; `*record` is valid until the next group.
WriteQueue::Writer* WriteQueue::CollectGroup(Writer* leader, Slice* record) {
  const size_t first_size = leader->Size();
  const size_t limit =
      first_size <= kSmallBatchBytes ? first_size + kSmallBatchBytes : kMaxGroupBytes;
  const SequenceNumber sequence = state_->versions->LastSequence() + 1;
  if (leader->kind == Writer::kBatch) WriteBatchAccess::SetSequence(leader->batch, sequence);

  const auto begin_joining = [&] {
    joined_.assign(kBatchHeaderSize, '\0');
    SetBatchSequence(&joined_, sequence);
    leader->AppendTo(&joined_);
  };
  bool is_joined = leader->kind != Writer::kBatch;  // a batch alone is a record as it is
  if (is_joined) begin_joining();
  Writer* last = leader;
  size_t size = first_size;
  while (true) {
    Writer* const writer = last->next.load(std::memory_order_acquire);
    if (writer == nullptr || writer->kind == Writer::kSwitch) break;
    if (writer->sync && !leader->sync) break;  // its promise would be weaker than asked for
    size += writer->Size();
    if (size > limit) break;
    if (!is_joined) begin_joining();
    is_joined = true;
    writer->AppendTo(&joined_);
    last = writer;
  }
  *record = is_joined ? Slice(joined_) : WriteBatchAccess::Bytes(*leader->batch);
  return last;
}

Status WriteQueue::Commit(const Slice& record, bool sync) {
  const SequenceNumber first = BatchSequence(record);
  const uint32_t count = BatchCount(record);
  if (first > kMaxSequenceNumber || count > kMaxSequenceNumber - (first - 1)) {
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
