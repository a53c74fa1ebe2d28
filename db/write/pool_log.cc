#include "db/write/pool_log.h"

#include <cassert>
#include <utility>

namespace leveldb {

namespace {

// The record of a group keeps its memory for the next one only up to this size.
constexpr size_t kMaxKeptBytes = size_t{2} << 20;

// The first spare is for the next open, the others are for switches.
constexpr size_t kSpares = 2;

}  // namespace

std::unique_ptr<PendingStores> PoolLog::NewStores(const PoolLogContext& context) {
  return std::make_unique<PendingStores>(context.pool->persist(),
                                         /*deferred=*/context.wal_persist_bytes > 0);
}

PoolLog::PoolLog(const PoolLogContext& context, std::unique_ptr<PendingStores> stores,
                 std::unique_ptr<WalWriter> wal, SequenceNumber first_sequence)
    : context_(context),
      fences_(context.wal_persist_bytes, std::move(stores)),
      wal_(std::move(wal)),
      first_sequence_(first_sequence),
      values_(context.pool, context.extents),
      separator_(context.value_separation_bytes, &values_) {
  values_.SetObject(wal_->number());
  static_cast<void>(ReserveSpares());
}

PoolLog::~PoolLog() {
  for (const Place extent : spares_) context_.extents->Release(extent);
}

// As far as there are any: an error only if there is none at all.
Status PoolLog::ReserveSpares() {
  while (spares_.size() < kSpares) {
    Place extent;
    const Status status = context_.extents->Reserve(1, &extent);
    if (!status.ok()) return spares_.empty() ? status : Status::OK();
    spares_.push_back(extent);
  }
  return Status::OK();
}

Status PoolLog::Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) {
  *log_is_unchanged = true;
  // With a write in it, this log stays behind a crash, and the next open needs one of its own.
  Status status = spares_.empty() ? ReserveSpares() : Status::OK();
  if (status.ok()) status = Append(group);
  if (!status.ok()) return status;
  *log_is_unchanged = false;
  is_sound_ = false;

  const bool has_values = values_.written_bytes() != value_bytes_counted_;
  const size_t user_bytes_before = memtable->UserBytes();
  if (group.sync()) status = fences_.Sync();
  if (status.ok()) status = InsertInto(memtable);
  if (!status.ok()) return status;
  if (!group.sync())
    fences_.BeforeAcknowledgement(memtable->UserBytes() - user_bytes_before, has_values);
  status = context_.pool->CheckWhole();
  if (!status.ok()) return status;
  is_sound_ = true;
  Count(*memtable, user_bytes_before);
  batch_.Shrink(kMaxKeptBytes);
  return status;
}

// Stores values and record. After an error the log is as it was before.
Status PoolLog::Append(const WriteGroup& group) {
  batch_.Start(group.sequence, first_sequence_);
  Status status = Separate(group);
  if (status.ok() && batch_.count() == 0) return status;
  if (status.ok() && !unnoted_.empty()) status = NoteOpenedExtents();
  if (status.ok()) status = wal_->Append(batch_.bytes());
  return status;
}

Status PoolLog::Separate(const WriteGroup& group) {
  const ValueWriter::Position before = values_.position();
  Status status;
  group.ForEach([&](const Writer& writer) {
    if (status.ok()) status = separator_.Separate(writer, &batch_, &opened_);
  });
  if (!status.ok()) GiveUpSince(before);
  for (const Place extent : opened_) {
    wal_->held()->Adopt(extent);
    unnoted_.push_back(extent);
  }
  opened_.clear();
  return status;
}

// The group may be tried again when there is more room; until then it must not take any. Whoever
// gets the extents next must not be overtaken by what is on its way into them.
void PoolLog::GiveUpSince(const ValueWriter::Position& before) {
  if (!opened_.empty()) context_.pool->persist()->Fence();
  for (const Place extent : opened_) context_.extents->Release(extent);
  opened_.clear();
  values_.GoBackTo(before);
}

Status PoolLog::NoteOpenedExtents() {
  const Status status = wal_->NoteValueExtents(unnoted_);
  if (status.ok()) {
    unnoted_.clear();
  } else {
    // The next group, which may be another thread's, goes on in an extent that this one has opened,
    // and names it: its header must be there by then.
    context_.pool->persist()->Fence();
  }
  return status;
}

Status PoolLog::InsertInto(MemTable* memtable) const {
  if (batch_.count() == 0) return Status::OK();
  CompactBatchCursor cursor(batch_.bytes(), first_sequence_);
  while (cursor.Next()) {
    memtable->Add(cursor.sequence(), cursor.type(), cursor.key(), cursor.value());
  }
  return cursor.status();
}

void PoolLog::Count(const MemTable& memtable, size_t user_bytes_before) {
  PmemStats* const stats = context_.stats;
  stats->user_bytes.Add(memtable.UserBytes() - user_bytes_before);
  stats->log_bytes.Add(wal_->written_bytes() - log_bytes_counted_);
  stats->value_bytes.Add(values_.written_bytes() - value_bytes_counted_);
  log_bytes_counted_ = wal_->written_bytes();
  value_bytes_counted_ = values_.written_bytes();
}

Status PoolLog::StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                          bool* log_is_unchanged) {
  WalStart start;
  start.predecessor = {wal_->number(), wal_->salt(), last_sequence};
  start.first_sequence = last_sequence + 1;
  auto held = std::make_shared<HeldExtents>(context_.extents);
  std::unique_ptr<WalWriter> next;
  const auto create = [&] {
    return WalWriter::Create(context_.pool, context_.extents, fences_.stores(), number, start,
                             wal_.get(), held, &next);
  };
  Status status = create();
  if (!status.ok() && !wal_->sealed() && spares_.size() == kSpares) {
    context_.extents->Release(spares_.back());
    spares_.pop_back();
    status = create();
  }
  *log_is_unchanged = !wal_->sealed();
  if (!status.ok()) return status;
  static_cast<void>(ReserveSpares());

  // Values of the new memtable go on in the extent that is being filled.
  unnoted_.clear();
  if (values_.current() != kNoPlace) {
    held->Share(values_.current());
    unnoted_.push_back(values_.current());
  }
  values_.SetObject(number);
  memtable->Hold(std::move(held));
  wal_ = std::move(next);
  first_sequence_ = start.first_sequence;
  log_bytes_counted_ = 0;
  return status;
}

Status PoolLog::Close(SequenceNumber last_sequence) {
  if (is_sound_) wal_->Seal(last_sequence);
  return fences_.Sync();
}

}  // namespace leveldb
