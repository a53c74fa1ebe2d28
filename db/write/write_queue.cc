#include "db/write/write_queue.h"

#include <cassert>
#include <cstdint>
#include <new>
#include <utility>

#include "db/state/db_state.h"
#include "db/write/file_log.h"
#include "entry/batch_cursor.h"
#include "util/epoch.h"
#include "util/text.h"

namespace leveldb {

namespace {

// A group's record stays below this, so that a small write is not held up by large ones behind it.
constexpr size_t kMaxGroupBytes = size_t{1} << 20;
// A small leader takes on at most this much more.
constexpr size_t kSmallBatchBytes = size_t{128} << 10;

Status CheckSizes(const Slice& key, const Slice& value) {
  if (key.size() > kMaxKeyBytes) {
    return Status::InvalidArgument("a key is too long", NumberToString(key.size()) + " bytes");
  }
  if (value.size() > kMaxValueBytes) {
    return Status::InvalidArgument("a value is too long", NumberToString(value.size()) + " bytes");
  }
  return Status::OK();
}

}  // namespace

WriteQueue::WriteQueue(DbState* state, std::unique_ptr<WriteLog> log)
    : state_(state), log_(std::move(log)), stall_(state) {
  if (log_->DefersFences()) {
    fence_timer_ = std::make_unique<FenceTimer>([this] {
      Writer writer{.kind = Writer::kFence};
      const Status status = Enter(&writer);
      static_cast<void>(status);  // a fence has none to report
    });
  }
  MutexLock lock(&state_->mutex);
  memtable_ = state_->memtable();
}

WriteQueue::~WriteQueue() {
  if (state_->IsInForkedChild()) {
    fence_timer_.release();  // its thread and its locks are the parent's
    log_.release();          // and so is what it may have buffered
    return;
  }
  fence_timer_.reset();
  // Without a sync nobody was promised that it survives a loss of power.
  static_cast<void>(log_->Close(state_->versions->LastSequence()));
}

Status WriteQueue::Write(WriteBatch* batch, bool sync) {
  assert(batch != nullptr);
  if (WriteBatchAccess::Count(*batch) == kOverfullBatchCount) {
    return Status::InvalidArgument(kOverfullBatch);
  }
  Writer writer{.kind = Writer::kBatch, .sync = sync, .batch = batch};
  return Enter(&writer);
}

Status WriteQueue::Put(const Slice& key, const Slice& value, bool sync) {
  const Status status = CheckSizes(key, value);
  if (!status.ok()) return status;
  Writer writer{.kind = Writer::kPut, .sync = sync, .key = key, .value = value};
  return Enter(&writer);
}

Status WriteQueue::Delete(const Slice& key, bool sync) {
  const Status status = CheckSizes(key, Slice());
  if (!status.ok()) return status;
  Writer writer{.kind = Writer::kDelete, .sync = sync, .key = key};
  return Enter(&writer);
}

Status WriteQueue::SwitchMemtable() {
  Writer writer{.kind = Writer::kSwitch};
  return Enter(&writer);
}

Status WriteQueue::LeavePool() {
  Writer writer{.kind = Writer::kLeavePool};
  return Enter(&writer);
}

Status WriteQueue::Enter(Writer* writer) {
  // In a forked child those who are in the queue will never be served.
  if (state_->IsInForkedChild()) return state_->CheckNotForked();
  Writer* const ahead = tail_.exchange(writer, std::memory_order_acq_rel);
  if (ahead != nullptr) {
    ahead->next.store(writer, std::memory_order_release);
    Approach(*writer);
    if (writer->Await() == Writer::kDone) return std::move(writer->status);
  }
  Lead(writer);
  return std::move(writer->status);
}

// Goes to where the entries of a waiting writer will be in the memtable, until its turn comes.
void WriteQueue::Approach(const Writer& writer) const {
  EpochGuard guard;
  const MemTable& memtable = *state_->current_view.Get()->memtable;
  if (writer.kind == Writer::kPut || writer.kind == Writer::kDelete) {
    memtable.Approach(writer.key);
  } else if (writer.kind == Writer::kBatch) {
    BatchCursor cursor(WriteBatchAccess::Bytes(*writer.batch));
    while (writer.IsWaiting() && cursor.Next()) memtable.Approach(cursor.key());
  }
}

void WriteQueue::Lead(Writer* leader) {
  Writer* last = leader;
  Status status;
  try {
    status = Serve(leader, &last);
  } catch (const std::bad_alloc&) {
    // The queue has to go on. How far the write came is not known.
    status = Status::IOError(state_->dbname(), "out of memory in a write");
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("a write", status);
  }
  leader->status = status;
  for (Writer* writer = leader; writer != last;) {
    writer = writer->next.load(std::memory_order_acquire);
    writer->status = status;
  }
  LeaveTogether(leader, last);
}

// Does what the leader wants, and with it what the writers behind it want, up to `*last`.
Status WriteQueue::Serve(Writer* leader, Writer** last) {
  if (leader->kind == Writer::kLeavePool) return MoveLogToFile();
  if (leader->kind == Writer::kFence) {  // is due also where writes wait or fail
    log_->Fence();
    return Status::OK();
  }
  const bool is_switch = leader->kind == Writer::kSwitch;
  const size_t bytes = leader->HasEntries() ? leader->Size() : 0;
  const Status status = stall_.MakeRoom(bytes, /*force_switch=*/is_switch, log_.get(), &memtable_);
  if (!status.ok()) return status;
  if (!leader->HasEntries()) return status;
  *last = LastOfGroup(leader);
  return Commit({leader, *last, state_->versions->LastSequence() + 1});
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

// The last writer whose entries can go with the leader's, as far as the limits allow.
Writer* WriteQueue::LastOfGroup(Writer* leader) const {
  Writer* last = leader;
  Writer* writer = leader->next.load(std::memory_order_acquire);
  if (writer == nullptr) return last;
  size_t size = leader->Size();
  const size_t limit = size <= kSmallBatchBytes ? size + kSmallBatchBytes : kMaxGroupBytes;
  for (; writer != nullptr; writer = writer->next.load(std::memory_order_acquire)) {
    if (!writer->HasEntries()) break;
    if (writer->sync && !leader->sync) break;  // its promise would be weaker than asked for
    size += writer->Size();
    if (size > limit) break;
    last = writer;
  }
  return last;
}

Status WriteQueue::Commit(const WriteGroup& group) {
  if (group.first->kind == Writer::kBatch) {
    WriteBatchAccess::SetSequence(group.first->batch, group.sequence);
  }
  const uint64_t count = group.Count();
  if (group.sequence > kMaxSequenceNumber || count > kMaxSequenceNumber - (group.sequence - 1)) {
    return Status::InvalidArgument(state_->dbname(), "sequence numbers are used up");
  }
  bool log_is_unchanged;
  Status status = log_->Write(group, memtable_.get(), &log_is_unchanged);
  for (bool more = true; more && log_is_unchanged && status.IsIOError();) {
    more = stall_.WaitForSpace(group.Bytes(), log_.get(), &memtable_);
    const Status failure = state_->WriteFailure();
    if (!failure.ok()) return failure;  // which is why nothing makes room
    status = log_->Write(group, memtable_.get(), &log_is_unchanged);
  }
  if (!status.ok()) {
    if (log_is_unchanged) return status;
    // The log's end is of unknown content: a write behind it could be lost without notice.
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("writing the log", status);
    return status;
  }
  if (count > 0) state_->versions->SetLastSequence(group.sequence + count - 1);
  if (fence_timer_ != nullptr && log_->HasUnfenced()) fence_timer_->Arm();
  return status;
}

Status WriteQueue::MoveLogToFile() {
  if (!log_->IsInPool()) return Status::OK();
  log_->Fence();  // there may be a wait
  auto file_log = std::make_unique<FileLog>(state_);
  const std::shared_ptr<MemTable> memtable = memtable_;
  Status status = stall_.MakeRoom(0, /*force_switch=*/true, file_log.get(), &memtable_);
  if (status.ok() && memtable_ == memtable) {  // it is empty, and stays
    const uint64_t number = state_->versions->NewFileNumber();
    bool log_is_unchanged;
    status = file_log->StartNext(number, state_->versions->LastSequence(), memtable_.get(),
                                 &log_is_unchanged);
    MutexLock lock(&state_->mutex);
    if (status.ok()) state_->log_numbers.push_back(number);
  }
  if (!status.ok()) return status;
  status = log_->Close(state_->versions->LastSequence());
  if (!status.ok()) {
    // A synced write to the file would promise what is before it as well.
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError("ending the log in the pool", status);
    return status;
  }
  log_ = std::move(file_log);
  return status;
}

}  // namespace leveldb
