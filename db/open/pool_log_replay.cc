#include "db/open/pool_log_replay.h"

#include <algorithm>
#include <utility>

#include "entry/compact_batch.h"
#include "entry/value_ref.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/log_heads.h"
#include "util/status_text.h"
#include "util/text.h"

namespace leveldb {

namespace {

std::string LogName(const Pool& pool, uint64_t number) {
  return "log #" + NumberToString(number) + " in pool " + pool.path();
}

bool HasWholeValues(const Pool& pool, const Slice& record, SequenceNumber first_sequence) {
  CompactBatchCursor cursor(record, first_sequence);
  while (cursor.Next()) {
    ValueRef reference;
    const bool is_whole =
        cursor.type() != kTypeValueRef ||
        (DecodeValueRef(cursor.value(), &reference) && CheckValue(pool, reference).ok());
    if (!is_whole) return false;
  }
  return true;
}

}  // namespace

PoolLogReplay::PoolLogReplay(DbState* state, PmemTier* tier)
    : state_(state), tier_(tier), held_(std::make_shared<HeldExtents>(tier->extents())) {}

Status PoolLogReplay::Replay(const std::vector<LogSlot>& logs) {
  logs_left_ = logs.size();
  Status status;
  for (size_t i = 0; i < logs_left_ && status.ok(); i++) status = ReplayOne(logs, i);
  return status.ok() ? CheckNoneFollows() : status;
}

// Returns an error if the pool has a log that continues the last one and contains writes, but is
// not named by the root: the root names a log before it gets writes. A log whose first write is
// torn has no writes, and has been forgotten.
Status PoolLogReplay::CheckNoneFollows() const {
  const Pool& pool = *tier_->pool();
  if (pool.medium() == MediumKind::kPageCache) return Status::OK();  // it keeps no order
  const std::optional<LogSlot> next = FindSuccessor(
      pool, FindLogHeads(pool), last_log_, state_->versions->LogNumber(),
      [&pool](const Slice& record, uint64_t first) { return HasWholeValues(pool, record, first); });
  if (!next.has_value()) return Status::OK();
  return Status::Corruption(LogName(pool, next->number),
                            "is not named by the root any more, at place " +
                                NumberToString(next->first) + ": its slot is damaged");
}

Status PoolLogReplay::ReplayOne(const std::vector<LogSlot>& logs, size_t index) {
  Pool* const pool = tier_->pool();
  const LogSlot& slot = logs[index];
  WalReader reader(*pool, slot);
  Status status = reader.Open();
  if (status.ok()) status = CheckPredecessor(reader);
  if (!status.ok()) return status;

  last_sequence_ = std::max(last_sequence_, reader.start().first_sequence - 1);
  next_sequence_ = reader.start().first_sequence;
  const size_t entries_before = entries_.size();
  status = ReadRecords(&reader);
  // What looks torn may be on a page that is lost.
  if (status.ok()) status = pool->CheckWhole();
  if (status.ok()) status = CheckEnd(reader, index + 1 == logs_left_);
  // Logs after a torn end are beyond the prefix.
  if (status.ok() && !reader.sealed()) status = Forget(logs, index + 1);
  if (!status.ok()) return status;
  const bool is_last = index + 1 == logs_left_;
  const bool is_empty = next_sequence_ == reader.start().first_sequence;
  // A log that the manifest names must exist until an edit drops it.
  const bool is_named = slot.number == state_->versions->LogNumber();
  if (is_last && is_empty && !is_named) return Forget(logs, index);
  status = HoldExtents(reader);
  if (!status.ok()) return status;
  const SequenceNumber end = next_sequence_ - 1;
  if (reader.sealed() && reader.sealed_sequence() != end) {
    return Status::Corruption(LogName(*pool, slot.number),
                              "ends at write #" + NumberToString(end) + ", its seal says #" +
                                  NumberToString(reader.sealed_sequence()));
  }
  status = SealRecoveredWal(pool, reader, end);
  last_sequence_ = std::max(last_sequence_, end);
  last_log_ = {slot.number, slot.salt, end};
  Log(state_->info_log(), "%s: %llu entries replayed, up to write #%llu%s",
      LogName(*pool, slot.number).c_str(),
      static_cast<unsigned long long>(entries_.size() - entries_before),
      static_cast<unsigned long long>(end), reader.sealed() ? "" : "; its end is sealed now");
  return status;
}

// Checks the predecessor of a log. That of the oldest log may have been flushed and removed.
Status PoolLogReplay::CheckPredecessor(const WalReader& reader) const {
  const WalPredecessor& before = reader.start().predecessor;
  const uint64_t first = reader.start().first_sequence;
  const std::string name = LogName(*tier_->pool(), reader.number());
  if (first == 0 || first > kMaxSequenceNumber) {
    return Status::Corruption(name, "its first sequence number is out of range");
  }
  if (last_log_.number == 0) {
    const bool is_oldest = before.number == 0 || before.number < state_->versions->LogNumber();
    if (is_oldest && first <= state_->versions->LastSequence() + 1) return Status::OK();
    return Status::Corruption(name, "the log before it is missing");
  }
  if (before.number != last_log_.number || before.salt != last_log_.salt) {
    return Status::Corruption(name, "does not follow " + LogName(*tier_->pool(), last_log_.number));
  }
  if (before.last_sequence == last_log_.last_sequence && first > before.last_sequence) {
    return Status::OK();
  }
  return Status::Corruption(name, "the log before it ends at write #" +
                                      NumberToString(last_log_.last_sequence) + ", and not at #" +
                                      NumberToString(before.last_sequence));
}

Status PoolLogReplay::ReadRecords(WalReader* reader) {
  named_extents_.clear();
  named_extents_seen_ = 0;
  Slice record;
  std::string scratch;
  while (reader->ReadRecord(&record, &scratch)) {
    const bool is_in_pool = record.data() != scratch.data();
    if (!is_in_pool) {
      kept_.push_back(std::move(scratch));
      scratch.clear();
      record = kept_.back();
    }
    const size_t entries_before = entries_.size();
    Status torn;
    const Status status = AddRecord(record, *reader, &torn);
    if (status.IsCorruption()) return Status::Corruption(reader->Name(), MessageOf(status));
    if (!status.ok()) return status;
    if (!torn.ok()) {
      entries_.Truncate(entries_before);
      const Status rejected = reader->Reject(torn);
      if (!rejected.ok()) return rejected;
      break;
    }
    // The bytes may still be in CPU caches, if only the process ended.
    for (const ValuePiece& piece : pieces_) {
      tier_->persist()->Flush(tier_->pool()->At(piece.pool_offset), piece.bytes);
    }
  }
  return reader->status();
}

// Adds the entries of a record. Sets `*torn` to an error if a value that the record refers to is
// incomplete, as after a crash; then only entries_ has changed. Any other problem under a correct
// checksum is damage.
Status PoolLogReplay::AddRecord(const Slice& record, const WalReader& reader, Status* torn) {
  pieces_.clear();
  SequenceNumber expected = next_sequence_;
  CompactBatchCursor cursor(record, reader.start().first_sequence);
  for (; cursor.Next(); expected++) {
    if (cursor.sequence() != expected) {
      return Status::Corruption("a record begins with write #" + NumberToString(cursor.sequence()) +
                                " instead of #" + NumberToString(expected));
    }
    if (cursor.type() == kTypeValueRef) {
      const Status status = CheckReference(cursor.value(), reader, torn);
      if (!status.ok() || !torn->ok()) return status;
    }
    entries_.Add(cursor.sequence(), cursor.type(), cursor.key(), cursor.value());
  }
  if (cursor.status().ok()) next_sequence_ = expected;
  return cursor.status();
}

Status PoolLogReplay::CheckReference(const Slice& encoded, const WalReader& reader, Status* torn) {
  ValueRef reference;
  if (!DecodeValueRef(encoded, &reference)) {
    return Status::Corruption("a reference to a value that is none");
  }
  const Pool& pool = *tier_->pool();
  *torn = CheckValue(pool, reference);
  const size_t pieces_before = pieces_.size();
  if (torn->ok()) *torn = ListValuePieces(pool, reference, &pieces_);
  if (!torn->ok()) return Status::OK();
  const std::vector<PoolOffset>& named = reader.value_extents();
  while (named_extents_seen_ < named.size()) named_extents_.insert(named[named_extents_seen_++]);
  for (size_t i = pieces_before; i < pieces_.size(); i++) {
    const PoolOffset extent = pieces_[i].pool_offset & ~(pool.extent_size() - 1);
    if (named_extents_.count(extent) == 0) {
      return Status::Corruption("a reference to a value in an extent that the log does not name");
    }
  }
  return Status::OK();
}

Status PoolLogReplay::HoldExtents(const WalReader& reader) {
  for (const std::vector<PoolOffset>& extents : {reader.extents(), reader.value_extents()}) {
    for (const PoolOffset extent : extents) {
      const Status status = tier_->extents()->MarkUsed(extent);
      if (!status.ok()) return status;
      held_->Adopt(extent);
    }
  }
  return Status::OK();
}

// Checks the end of a log. An end without a seal is the result of a crash. That is impossible if
// the pool was closed cleanly; and a log is sealed before the root names the next one, if the
// medium keeps that order.
Status PoolLogReplay::CheckEnd(const WalReader& reader, bool is_last) const {
  const Pool& pool = *tier_->pool();
  if (reader.sealed()) return Status::OK();
  if (pool.was_clean()) {
    return Status::Corruption(reader.Name(),
                              "has lost its end: it was whole when the database was closed");
  }
  const bool keeps_order = !reader.start().unordered && pool.medium() != MediumKind::kPageCache;
  if (is_last || !keeps_order) return Status::OK();
  return Status::Corruption(reader.Name(), "has lost its end: there is a log that follows it");
}

// Removes logs from the root. It must no longer name logs once their extents are reused, nor once
// the log before them gets an end that they do not know.
Status PoolLogReplay::Forget(const std::vector<LogSlot>& logs, size_t from) {
  if (from >= logs_left_) return Status::OK();
  Status status;
  while (logs_left_ > from && status.ok()) {
    const uint64_t number = logs[--logs_left_].number;
    Log(state_->info_log(), "%s: forgotten, because it is empty or the log before it is torn",
        LogName(*tier_->pool(), number).c_str());
    status = tier_->pool()->root()->RemoveLog(number);
  }
  return status.ok() ? tier_->persist()->Sync() : status;
}

std::shared_ptr<MemTable> PoolLogReplay::BuildMemtable() {
  if (entries_.empty()) return nullptr;
  auto memtable = std::make_shared<MemTable>(&state_->comparator());
  memtable->Hold(held_);
  entries_.Fill(memtable.get());
  entries_ = ReplayedEntries();
  kept_.clear();
  return memtable;
}

}  // namespace leveldb
