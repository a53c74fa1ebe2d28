#include "db/write/pool_log.h"

#include <cassert>
#include <utility>

#include "db/write/commit_gate.h"
#include "util/coding.h"

namespace leveldb {

static_assert(kWalWriters == MemTable::kParts, "a shard writes to a part of the memtable");
static_assert(kWalWriters == CommitGate::kShards);

namespace {

// The record of a group keeps its memory for the next group only up to this size.
constexpr size_t kMaxKeptBytes = size_t{2} << 20;

// The first spare is for the next open, the others are for switches.
constexpr size_t kSpares = 2;

// Several threads can each fence their own records only if no fence is deferred by a granularity,
// and if a fence makes records persistent.
size_t ShardCount(const PoolLogContext& context) {
  const bool fences_each = context.wal_persist_bytes == 0;
  return fences_each && context.pool->medium() != MediumKind::kPageCache ? kWalWriters : 1;
}

WalKind KindOf(const CommitOrder::Turn& turn) {
  return turn.is_behind_others ? WalKind::kShared : WalKind::kWhole;
}

}  // namespace

std::unique_ptr<PendingStores> PoolLog::NewStores(const PoolLogContext& context) {
  return std::make_unique<PendingStores>(context.pool->persist(),
                                         /*deferred=*/context.wal_persist_bytes > 0);
}

PoolLog::PoolLog(const PoolLogContext& context, std::unique_ptr<PendingStores> stores,
                 std::unique_ptr<WalWriter> wal, SequenceNumber first_sequence)
    : WriteLog(ShardCount(context)),
      context_(context),
      fences_(context.wal_persist_bytes, std::move(stores)),
      wal_(std::move(wal)),
      first_sequence_(first_sequence),
      shards_{{Shard(context), Shard(context)}} {
  for (Shard& shard : shards_) shard.values.SetObject(wal_->number());
  static_cast<void>(ReserveSpares());
}

PoolLog::~PoolLog() {
  for (const PoolOffset extent : spares_) context_.extents->Release(extent);
}

// Reserves the missing spares as far as the pool has free extents. Returns an error only if there
// is no spare at all.
Status PoolLog::ReserveSpares() {
  while (spares_.size() < kSpares) {
    PoolOffset extent;
    const Status status = context_.extents->Reserve(1, &extent);
    if (!status.ok()) return spares_.empty() ? status : Status::OK();
    spares_.push_back(extent);
  }
  return Status::OK();
}

Status PoolLog::Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) {
  *log_is_unchanged = true;
  // With a write in it, this log remains after a crash, and the next open needs an extent for its
  // own log.
  Status status = spares_.empty() ? ReserveSpares() : Status::OK();
  if (status.ok()) status = Append(group);
  if (!status.ok()) return status;
  *log_is_unchanged = false;
  is_sound_.store(false, std::memory_order_relaxed);

  Shard& shard = ShardOf(group);
  const bool has_values = shard.values.written_bytes() != shard.value_bytes_counted;
  const size_t user_bytes_before = memtable->UserBytes(group.shard);
  if (group.sync()) status = fences_.Sync();
  if (status.ok()) status = InsertInto(memtable, group);
  if (!status.ok()) return status;
  const size_t user_bytes = memtable->UserBytes(group.shard) - user_bytes_before;
  if (!group.sync()) fences_.BeforeAcknowledgement(user_bytes, has_values);
  status = context_.pool->CheckWhole();
  if (!status.ok()) return status;
  is_sound_.store(true, std::memory_order_relaxed);
  Count(group, user_bytes, wal_->written_bytes() - log_bytes_counted_);
  log_bytes_counted_ = wal_->written_bytes();
  shard.batch.Shrink(kMaxKeptBytes);
  return status;
}

void PoolLog::KeepTailIn(WalTail* tail) {
  tail_ = tail;
  wal_->KeepTailIn(tail);
}

bool PoolLog::WriteShared(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                          Status* status) {
  assert(group->shard < Shards() && !fences_.DefersFences());
  if (spares_.empty() || !unnoted_.empty()) return false;
  order->PrefetchLock();
  return IsEntryInPlace(*group) ? WriteSharedAs<EntryPreparation>(group, memtable, order, status)
                                : WriteSharedAs<Preparation>(group, memtable, order, status);
}

// Returns whether the group is a single entry with a record of few bytes.
bool PoolLog::IsEntryInPlace(const WriteGroup& group) const {
  const Writer& writer = *group.first;
  if (group.first != group.last || writer.kind == Writer::kBatch) return false;
  constexpr size_t kNumbers = 2 * kMaxVarint64Length + kMaxVarint32Length;
  const bool is_large = shards_[group.shard].separator.IsLarge(writer.value);
  const size_t value_size = is_large ? kValueRefSize : writer.value.size();
  return kNumbers + writer.key.size() + value_size <= WalWriter::kMaxWrittenInPlace;
}

template <class AnyPreparation>
bool PoolLog::WriteSharedAs(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                            Status* status) {
  AnyPreparation prepared;
  if (!Begin(group, memtable, order, &prepared)) return false;
  // From here on any failure leaves a record in the log that was not acknowledged.
  struct SoundUnlessLeft {
    std::atomic<bool>* is_sound;
    ~SoundUnlessLeft() {
      if (is_sound != nullptr) is_sound->store(false, std::memory_order_relaxed);
    }
  } left{&is_sound_};

  Shard& shard = ShardOf(*group);
  const size_t user_bytes_before = memtable->UserBytes(group->shard);
  *status = Finish(*group, memtable, &prepared);
  if (!status->ok()) return true;
  if (!order->End(prepared.turn, group->shard)) {
    *status = Status::IOError(context_.pool->path(), "a write before this one has failed");
    return true;
  }
  left.is_sound = nullptr;
  Count(*group, memtable->UserBytes(group->shard) - user_bytes_before, prepared.reservation.size);
  shard.batch.Shrink(kMaxKeptBytes);
  return true;
}

// Begin takes sequence numbers and reserves space in the log, for which it must know the record's
// size. If that requires exclusive access, it changes nothing and returns false. It runs before
// anything is stored, since taking a lock would wait for pending stores to the medium. Finish
// stores values and record, makes them persistent, and inserts the entries into the memtable, ready
// to become visible.
//
// For a group, Begin builds the record except for the values' checksums.
bool PoolLog::Begin(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                    Preparation* prepared) {
  Shard& shard = ShardOf(*group);
  const ValueWriter::Position before = shard.values.position();
  shard.batch.Start();
  bool fits = true;
  group->ForEach(
      [&](const Writer& writer) { fits = fits && shard.separator.Plan(writer, &shard.batch); });
  fits = fits && shard.batch.count() > 0;
  // From here on the writes after this one wait for it.
  if (fits) memtable->Prepare(shard.batch.EntriesSize(), group->shard);
  if (fits && TakeTurn(group, shard.batch.count(), shard.batch.EntriesSize(), order, prepared)) {
    return true;
  }
  shard.separator.ForgetPlanned();
  shard.values.GoBackTo(before);
  return false;
}

Status PoolLog::Finish(const WriteGroup& group, MemTable* memtable, Preparation* prepared) {
  Shard& shard = ShardOf(group);
  shard.separator.StorePlanned(&shard.batch);
  shard.batch.Number(prepared->turn.first, first_sequence_);
  wal_->Fill(prepared->reservation, KindOf(prepared->turn), shard.batch.bytes());
  const Status status = InsertInto(memtable, group);
  return status.ok() ? MakePersistent(group.sync()) : status;
}

// For a single entry, the record is built in the buffer that it is stored from. Begin starts the
// descent in the memtable, so that the nodes it needs are loaded meanwhile.
bool PoolLog::Begin(WriteGroup* group, MemTable* memtable, CommitOrder* order,
                    EntryPreparation* prepared) {
  const Writer& writer = *group->first;
  memtable->Begin(writer.key, group->shard, &prepared->hint);
  Shard& shard = ShardOf(*group);
  const ValueWriter::Position before = shard.values.position();
  CompactEntry& entry = prepared->entry;
  entry.key = writer.key;
  if (writer.kind == Writer::kDelete) {
    entry.type = kTypeDeletion;
  } else if (!shard.separator.IsLarge(writer.value)) {
    entry.type = kTypeValue;
    entry.value = writer.value;
  } else if (shard.values.Assign(writer.value, &prepared->reference)) {
    entry.type = kTypeValueRef;
    entry.value = Slice(prepared->encoded_reference, kValueRefSize);
  } else {
    return false;
  }
  prepared->size = entry.Size();
  memtable->Prepare(prepared->size, group->shard);
  if (TakeTurn(group, 1, prepared->size, order, prepared)) return true;
  shard.values.GoBackTo(before);
  return false;
}

Status PoolLog::Finish(const WriteGroup& group, MemTable* memtable, EntryPreparation* prepared) {
  const SequenceNumber sequence = prepared->turn.first;
  const CompactEntry& entry = prepared->entry;
  memtable->Advance(group.shard, &prepared->hint);
  if (entry.type == kTypeValueRef) {
    ShardOf(group).values.Store(group.first->value, &prepared->reference);
    EncodeValueRef(prepared->reference, prepared->encoded_reference);
  }
  wal_->FillInPlace(prepared->reservation, KindOf(prepared->turn),
                    CompactStartSize(sequence, first_sequence_) + prepared->size, [&](char* to) {
                      return entry.Store(StoreCompactStart(to, sequence, first_sequence_));
                    });
  memtable->Add(sequence, entry.type, entry.key, entry.value, group.shard, &prepared->hint);
  return MakePersistent(group.sync());
}

// Numbers a write and reserves space in the log for its record, whose entries take `bytes` bytes.
bool PoolLog::TakeTurn(WriteGroup* group, size_t entries, size_t bytes, CommitOrder* order,
                       Preparation* prepared) {
  const auto take = [&](SequenceNumber first) {
    return wal_->Reserve(CompactStartSize(first, first_sequence_) + bytes, &prepared->reservation);
  };
  if (!order->Begin(entries, take, &prepared->turn)) return false;
  group->sequence = prepared->turn.first;
  return true;
}

// Makes everything that this thread has stored persistent.
Status PoolLog::MakePersistent(bool sync) const {
  Persist* const persist = context_.pool->persist();
  if (sync) {
    const Status status = persist->Sync();
    if (!status.ok()) return status;
  } else {
    persist->Fence();
  }
  return context_.pool->CheckWhole();
}

// Stores the values and the record. After an error the log is as it was before.
Status PoolLog::Append(const WriteGroup& group) {
  CompactBatchBuilder& batch = ShardOf(group).batch;
  batch.Start(group.sequence, first_sequence_);
  Status status = Separate(group);
  if (status.ok() && batch.count() == 0) return status;
  if (status.ok() && !unnoted_.empty()) status = NoteOpenedExtents();
  if (status.ok()) status = wal_->Append(batch.bytes());
  return status;
}

Status PoolLog::Separate(const WriteGroup& group) {
  Shard& shard = ShardOf(group);
  const ValueWriter::Position before = shard.values.position();
  Status status;
  group.ForEach([&](const Writer& writer) {
    if (status.ok()) status = shard.separator.Separate(writer, &shard.batch, &shard.opened);
  });
  if (!status.ok()) GiveUpSince(before, &shard);
  for (const PoolOffset extent : shard.opened) {
    wal_->held()->Adopt(extent);
    unnoted_.push_back(extent);
  }
  shard.opened.clear();
  return status;
}

// Takes back what the group has stored. The group may be tried again when there is more room; until
// then it must not occupy any. The fence keeps pending stores into the released extents from
// overwriting those of the next owner.
void PoolLog::GiveUpSince(const ValueWriter::Position& before, Shard* shard) {
  if (!shard->opened.empty()) context_.pool->persist()->Fence();
  for (const PoolOffset extent : shard->opened) context_.extents->Release(extent);
  shard->opened.clear();
  shard->values.GoBackTo(before);
}

Status PoolLog::NoteOpenedExtents() {
  const Status status = wal_->NoteValueExtents(unnoted_);
  if (status.ok()) {
    unnoted_.clear();
  } else {
    // The next group, which may be another thread's, continues in an extent that this group has
    // opened, and names it in the log: the extent's header must be persistent by then.
    context_.pool->persist()->Fence();
  }
  return status;
}

Status PoolLog::InsertInto(MemTable* memtable, const WriteGroup& group) const {
  const CompactBatchBuilder& batch = shards_[group.shard].batch;
  if (batch.count() == 0) return Status::OK();
  CompactBatchCursor cursor(batch.bytes(), first_sequence_);
  MemTable::InsertHint hint;
  while (cursor.Next()) {
    memtable->Add(cursor.sequence(), cursor.type(), cursor.key(), cursor.value(), group.shard,
                  &hint);
  }
  return cursor.status();
}

void PoolLog::Count(const WriteGroup& group, uint64_t user_bytes, uint64_t log_bytes) {
  Shard& shard = ShardOf(group);
  PmemWriterStats& stats = context_.stats->writers[group.shard];
  stats.user_bytes.Add(user_bytes);
  stats.log_bytes.Add(log_bytes);
  stats.value_bytes.Add(shard.values.written_bytes() - shard.value_bytes_counted);
  shard.value_bytes_counted = shard.values.written_bytes();
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

  // Values of the new memtable continue in the extents that are being filled.
  unnoted_.clear();
  for (Shard& shard : shards_) {
    shard.values.SetObject(number);
    const PoolOffset extent = shard.values.current();
    if (extent == kNoPoolOffset) continue;
    held->Share(extent);
    unnoted_.push_back(extent);
  }
  memtable->Hold(std::move(held));
  wal_ = std::move(next);
  if (tail_ != nullptr) wal_->KeepTailIn(tail_);
  first_sequence_ = start.first_sequence;
  log_bytes_counted_ = 0;
  return status;
}

Status PoolLog::Close(SequenceNumber last_sequence) {
  if (is_sound_.load(std::memory_order_relaxed)) wal_->Seal(last_sequence);
  return fences_.Sync();
}

}  // namespace leveldb
