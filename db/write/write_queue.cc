#include "db/write/write_queue.h"
#include "db/files/filename.h"

#include <cassert>
#include <chrono>
#include <cstdint>
#include <new>
#include <utility>

#include "db/state/db_state.h"
#include "db/write/file_log.h"
#include "entry/batch_cursor.h"
#include "port/tls_model.h"
#include "util/epoch.h"
#include "util/text.h"

namespace leveldb {

namespace {

// A group's record stays below this size, so that a small write is not delayed by large ones after
// it.
constexpr size_t kMaxGroupBytes = size_t{1} << 20;
// A small leader adds at most this much to its group.
constexpr size_t kSmallBatchBytes = size_t{128} << 10;

// Acknowledged writes are fenced after this time: half of what is promised, since the timer's
// thread may be scheduled late.
constexpr std::chrono::milliseconds kFenceDelay{50};

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
    : state_(state),
      shards_{{Shard(state, 0), Shard(state, 1)}},
      order_(state),
      log_(std::move(log)),
      is_sharded_(log_->Shards() > 1) {
  log_->KeepTailIn(order_.tail());
  if (log_->DefersFences()) {
    fence_timer_ = std::make_unique<DelayedCall>(kFenceDelay, [this] {
      Writer writer{.kind = Writer::kFence};
      const Status status = Enter(&writer);
      static_cast<void>(status);  // a fence has no error to report
    });
  }
  MutexLock lock(&state_->mutex);
  memtable_ = state_->memtable();
}

WriteQueue::~WriteQueue() {
  if (state_->IsInForkedChild()) {
    fence_timer_.release();  // its thread and its locks belong to the parent
    log_.release();          // so does what it may have buffered
    return;
  }
  fence_timer_.reset();
  // The error is ignored: without a sync, writes need not survive a loss of power.
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
  // In a forked child the writers in the queue will never be served.
  if (state_->IsInForkedChild()) return state_->CheckNotForked();
  Shard& shard = ChooseShard();
  Writer* const ahead = shard.tail.exchange(writer, std::memory_order_acq_rel);
  if (ahead != nullptr) {
    ahead->next.store(writer, std::memory_order_release);
    PrefetchForWriter(shard, *writer);
  }
  if (ahead == nullptr || writer->Await() != Writer::kDone) Lead(&shard, writer);
  if (writer->lacks_memory) throw std::bad_alloc();
  return std::move(writer->status);
}

// Returns the shard that this thread used last, in any database, unless it is in use and another
// shard is not.
WriteQueue::Shard& WriteQueue::ChooseShard() {
  if (!is_sharded_.load(std::memory_order_relaxed)) return shards_[0];
  static constinit thread_local size_t last_used BUSHSTORE_TLS_MODEL = 0;
  if (shards_[last_used].tail.load(std::memory_order_relaxed) != nullptr) {
    for (const Shard& shard : shards_) {
      if (shard.tail.load(std::memory_order_relaxed) == nullptr) last_used = shard.number;
    }
  }
  return shards_[last_used];
}

// Looks up the entries of a waiting writer in the memtable, to prefetch their nodes, until its turn
// comes.
void WriteQueue::PrefetchForWriter(const Shard& shard, const Writer& writer) const {
  EpochGuard guard;
  const MemTable& memtable = *state_->current_view.Get()->memtable;
  if (writer.kind == Writer::kPut || writer.kind == Writer::kDelete) {
    memtable.PrefetchForAdd(writer.key, shard.number);
  } else if (writer.kind == Writer::kBatch) {
    BatchCursor cursor(WriteBatchAccess::Bytes(*writer.batch));
    while (writer.IsWaiting() && cursor.Next()) memtable.PrefetchForAdd(cursor.key(), shard.number);
  }
}

void WriteQueue::Lead(Shard* shard, Writer* leader) {
  Writer* last = leader;
  try {
    const Status status = Serve(shard, leader, &last);
    ForEachWriter(leader, last, [&](Writer& writer) { writer.status = status; });
  } catch (const std::bad_alloc&) {  // no memory even for a status
    ForEachWriter(leader, last, [](Writer& writer) { writer.lacks_memory = true; });
  }
  LeaveTogether(shard, leader, last);
}

// Records an error after which no more writes are served. REQUIRES: access to the gate, so that
// nothing is written in between.
Status WriteQueue::Fail(const char* what, const Status& status) {
  {
    MutexLock lock(&state_->mutex);
    state_->RecordBackgroundError(what, status);
  }
  order_.Break();
  return status;
}

// Records that memory ran out. It is not known how much of the write was done, so later writes
// fail. The queue continues.
Status WriteQueue::FailForMemory() {
  {
    MutexLock lock(&state_->mutex);
    state_->RecordOutOfMemory("a write");
  }
  order_.Break();
  return state_->WriteFailure();
}

// Serves the leader, and with it the writers after it up to `*last`.
Status WriteQueue::Serve(Shard* shard, Writer* leader, Writer** last) {
  {
    CommitGate::Shared gate(&gate_, shard->number);
    bool has_room = false;
    try {
      has_room = leader->HasEntries() && DelayWrite(shard, &gate, *leader);
    } catch (const std::bad_alloc&) {  // a job may have been started only in part
      return FailForMemory();
    }
    if (log_->Shards() == 1) {
      // Leaders of other shards enter with exclusive access then.
      if (shard->number == 0) return ServeExclusive(shard, leader, last);
    } else if (has_room) {
      Status status;
      if (ServeShared(shard, leader, last, &status)) return status;
    }
  }
  const CommitGate::Exclusive gate(&gate_);
  return ServeExclusive(shard, leader, last);
}

// Waits for the write's delay, without access to the gate, and returns whether the memtable has
// room. A shard that the log does not support does not check: the leader of shard 0 may be changing
// the memtable.
bool WriteQueue::DelayWrite(Shard* shard, CommitGate::Shared* gate, const Writer& leader) {
  uint64_t delay_nanos;
  const auto has_room = [&](size_t bytes) {
    return shard->number < log_->Shards() &&
           shard->controller.HasRoom(bytes, *memtable_, &delay_nanos);
  };
  if (!has_room(leader.Size())) return false;
  if (delay_nanos == 0) return true;
  gate->Leave();
  shard->controller.Delay(delay_nanos);
  gate->Enter();
  return has_room(0);
}

// Returns false, without side effects, if exclusive access is required.
bool WriteQueue::ServeShared(Shard* shard, Writer* leader, Writer** last, Status* status) {
  WriteGroup group{leader, LastOfGroup(leader), shard->number, 0};
  try {
    if (!log_->WriteShared(&group, memtable_.get(), &order_, status)) return false;
    if (!status->ok()) *status = Fail("writing the log", *status);
  } catch (const std::bad_alloc&) {
    *status = FailForMemory();
  }
  *last = group.last;
  if (leader->kind == Writer::kBatch) {
    WriteBatchAccess::SetSequence(leader->batch, group.sequence);
  }
  return true;
}

// REQUIRES: no other thread writes.
Status WriteQueue::ServeExclusive(Shard* shard, Writer* leader, Writer** last) {
  try {
    return WriteExclusive(shard, leader, last);
  } catch (const std::bad_alloc&) {
    return FailForMemory();
  }
}

Status WriteQueue::WriteExclusive(Shard* shard, Writer* leader, Writer** last) {
  if (leader->kind == Writer::kLeavePool) return MoveLogToFile(shard);
  if (leader->kind == Writer::kFence) {  // is due also if writes wait or fail
    log_->Fence();
    return Status::OK();
  }
  const bool is_switch = leader->kind == Writer::kSwitch;
  const Status status =
      shard->controller.MakeRoom(/*force_switch=*/is_switch, log_.get(), &memtable_);
  if (!status.ok()) return status;
  if (!leader->HasEntries()) return status;
  *last = LastOfGroup(leader);
  return Commit(shard, {leader, *last, shard->number, state_->versions->LastSequence() + 1});
}

// Removes the writers from `leader` to `last` from the queue, lets the next one lead, and tells the
// group that it is done.
void WriteQueue::LeaveTogether(Shard* shard, Writer* leader, Writer* last) {
  Writer* successor = last->next.load(std::memory_order_acquire);
  if (successor == nullptr) {
    Writer* expected = last;
    if (!shard->tail.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) {
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

// Returns the last writer whose entries can be written with the leader's within the limits.
Writer* WriteQueue::LastOfGroup(Writer* leader) const {
  Writer* last = leader;
  Writer* writer = leader->next.load(std::memory_order_acquire);
  if (writer == nullptr) return last;
  size_t size = leader->Size();
  const size_t limit = size <= kSmallBatchBytes ? size + kSmallBatchBytes : kMaxGroupBytes;
  for (; writer != nullptr; writer = writer->next.load(std::memory_order_acquire)) {
    if (!writer->HasEntries()) break;
    if (writer->sync && !leader->sync) break;  // its promise would be weaker than requested
    size += writer->Size();
    if (size > limit) break;
    last = writer;
  }
  return last;
}

Status WriteQueue::Commit(Shard* shard, const WriteGroup& group) {
  if (group.first->kind == Writer::kBatch) {
    WriteBatchAccess::SetSequence(group.first->batch, group.sequence);
  }
  const uint64_t count = group.Count();
  if (group.sequence > kMaxSequenceNumber || count > kMaxSequenceNumber - (group.sequence - 1)) {
    return Status::InvalidArgument(state_->dbname(), "sequence numbers are used up");
  }
  bool log_is_unchanged;
  Status status = log_->Write(group, memtable_.get(), &log_is_unchanged);
  for (bool more = true; more && status.IsIOError() && log_is_unchanged;) {
    more = shard->controller.WaitForSpace(group.Bytes(), log_.get(), &memtable_);
    const Status failure = state_->WriteFailure();
    if (!failure.ok()) return failure;  // the reason why nothing makes room
    status = log_->Write(group, memtable_.get(), &log_is_unchanged);
  }
  if (!status.ok()) {
    if (log_is_unchanged) return status;
    // The content of the log's end is unknown: a write after it could be lost without notice.
    return Fail("writing the log", status);
  }
  if (count > 0) order_.Skip(group.sequence + count - 1);
  if (fence_timer_ != nullptr && log_->HasUnfenced()) fence_timer_->Arm();
  return status;
}

Status WriteQueue::MoveLogToFile(Shard* shard) {
  if (!log_->IsInPool()) return Status::OK();
  log_->Fence();  // MakeRoom may wait
  auto file_log = std::make_unique<FileLog>(state_);
  const std::shared_ptr<MemTable> memtable = memtable_;
  Status status = shard->controller.MakeRoom(/*force_switch=*/true, file_log.get(), &memtable_);
  if (status.ok() && memtable_ == memtable) {  // it is empty, and stays in use
    const uint64_t number = state_->versions->NewFileNumber();
    bool log_is_unchanged;
    status = file_log->StartNext(number, state_->versions->LastSequence(), memtable_.get(),
                                 &log_is_unchanged);
    // No flush follows whose table would make the name durable, but an edit that speaks of it.
    if (status.ok()) {
      status = file_log->Sync();
      // The log in the pool stays in use, and its successors have higher numbers than this file.
      if (!status.ok()) {
        static_cast<void>(state_->env()->RemoveFile(LogFileName(state_->dbname(), number)));
      }
    }
    MutexLock lock(&state_->mutex);
    if (status.ok()) state_->log_numbers.push_back(number);
  }
  if (!status.ok()) return status;
  status = log_->Close(state_->versions->LastSequence());
  if (!status.ok()) {
    // A synced write to the file also promises the writes before it, which are in the pool.
    return Fail("ending the log in the pool", status);
  }
  log_ = std::move(file_log);
  is_sharded_.store(false, std::memory_order_relaxed);
  return status;
}

}  // namespace leveldb
