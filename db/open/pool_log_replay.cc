#include "db/open/pool_log_replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "entry/compact_batch.h"
#include "entry/value_ref.h"
#include "leveldb/comparator.h"
#include "pmem/value/value_reader.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr size_t kDigestSize = 8;

// The kDigestSize bytes of `key` behind `prefix` as a number that sorts like them.
uint64_t Digest(const Slice& key, size_t prefix) {
  uint64_t digest = 0;
  const size_t available = key.size() - prefix;
  for (size_t i = 0; i < kDigestSize; i++) {
    digest = digest << 8 | (i < available ? static_cast<unsigned char>(key[prefix + i]) : 0);
  }
  return digest;
}

size_t SharedPrefix(const Slice& a, const Slice& b, size_t at_most) {
  const size_t limit = std::min({a.size(), b.size(), at_most});
  size_t length = 0;
  while (length < limit && a[length] == b[length]) length++;
  return length;
}

std::string LogName(const Pool& pool, uint64_t number) {
  return "log #" + NumberToString(number) + " in pool " + pool.path();
}

}  // namespace

PoolLogReplay::PoolLogReplay(DbState* state, PmemTier* tier)
    : state_(state), tier_(tier), held_(std::make_shared<HeldExtents>(tier->extents())) {}

Status PoolLogReplay::Replay(const std::vector<LogSlot>& logs) {
  for (size_t i = 0; i < logs.size(); i++) {
    bool belongs = true;
    const Status status = ReplayOne(logs[i], &belongs);
    if (!status.ok()) return status;
    if (!belongs) return Drop(logs, i);
  }
  return Status::OK();
}

Status PoolLogReplay::ReplayOne(const LogSlot& slot, bool* belongs) {
  Pool* const pool = tier_->pool();
  WalReader reader(*pool, slot);
  Status status = reader.Open();
  if (status.ok()) status = CheckPredecessor(reader, belongs);
  if (!status.ok() || !*belongs) return status;

  last_sequence_ = std::max(last_sequence_, reader.start().first_sequence - 1);
  next_sequence_ = reader.start().first_sequence;
  const size_t entries_before = entries_.size();
  status = ReadRecords(&reader);
  if (status.ok()) status = HoldExtents(reader);
  if (!status.ok()) return status;
  const SequenceNumber end = next_sequence_ - 1;
  if (reader.sealed() && reader.sealed_sequence() != end) {
    return Status::Corruption(LogName(*pool, slot.number),
                              "ends at write #" + NumberToString(end) + ", its seal says #" +
                                  NumberToString(reader.sealed_sequence()));
  }
  status = SealRecoveredWal(pool, reader, end);
  last_was_sealed_ = reader.sealed();
  last_sequence_ = std::max(last_sequence_, end);
  last_log_ = {slot.number, slot.salt, end};
  Log(state_->info_log(), "%s: %llu entries replayed, up to write #%llu%s",
      LogName(*pool, slot.number).c_str(),
      static_cast<unsigned long long>(entries_.size() - entries_before),
      static_cast<unsigned long long>(end), reader.sealed() ? "" : "; its end is sealed now");
  return status;
}

// The oldest log may follow one that is gone, because it has been flushed.
Status PoolLogReplay::CheckPredecessor(const WalReader& reader, bool* belongs) {
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
  if (before.last_sequence == last_log_.last_sequence && last_was_sealed_ &&
      first > before.last_sequence) {
    return Status::OK();
  }
  if (!last_was_sealed_ && reader.start().unordered) {
    *belongs = false;
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
    if (!status.ok()) return Status::Corruption(reader->Name(), status.ToString());
    if (!torn.ok()) {
      entries_.resize(entries_before);
      const Status rejected = reader->Reject(torn);
      if (!rejected.ok()) return rejected;
      break;
    }
    // They may still be in the caches, if only the process ended.
    for (const ValuePiece& piece : pieces_) {
      tier_->persist()->Flush(tier_->pool()->At(piece.place), piece.bytes);
    }
  }
  return reader->status();
}

// `*torn` tells whether a value that the record refers to is not whole, as after a crash; then
// nothing has changed but entries_. Everything else that is wrong under a right sum is damage.
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
    entries_.push_back(
        {0, PackTrailer(cursor.sequence(), cursor.type()), cursor.key(), cursor.value()});
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
  const std::vector<Place>& named = reader.value_extents();
  while (named_extents_seen_ < named.size()) named_extents_.insert(named[named_extents_seen_++]);
  for (size_t i = pieces_before; i < pieces_.size(); i++) {
    const Place extent = pieces_[i].place & ~(pool.extent_size() - 1);
    if (named_extents_.count(extent) == 0) {
      return Status::Corruption("a reference to a value in an extent that the log does not name");
    }
  }
  return Status::OK();
}

Status PoolLogReplay::HoldExtents(const WalReader& reader) {
  for (const std::vector<Place>& extents : {reader.extents(), reader.value_extents()}) {
    for (const Place extent : extents) {
      const Status status = tier_->extents()->MarkUsed(extent);
      if (!status.ok()) return status;
      held_->Adopt(extent);
    }
  }
  return Status::OK();
}

// What follows on an end that was torn is beyond the prefix.
Status PoolLogReplay::Drop(const std::vector<LogSlot>& logs, size_t from) {
  Status status;
  for (size_t i = from; i < logs.size() && status.ok(); i++) {
    Log(state_->info_log(), "%s: dropped, because the log before it has lost its end",
        LogName(*tier_->pool(), logs[i].number).c_str());
    status = tier_->pool()->root()->RemoveLog(logs[i].number);
  }
  return status;
}

std::shared_ptr<MemTable> PoolLogReplay::BuildMemtable() {
  if (entries_.empty()) return nullptr;
  SortEntries();
  auto memtable = std::make_shared<MemTable>(&state_->comparator());
  memtable->Hold(held_);
  for (const Entry& entry : entries_) {
    memtable->Add(entry.trailer >> 8, static_cast<ValueType>(entry.trailer & 0xff), entry.key,
                  entry.value);
  }
  std::vector<Entry>().swap(entries_);
  kept_.clear();
  return memtable;
}

// A memtable takes entries in their order several times as fast as in any other.
void PoolLogReplay::SortEntries() {
  const InternalKeyComparator& comparator = state_->comparator();
  if (comparator.user_comparator() != BytewiseComparator()) {
    std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
      const int order = comparator.CompareUserKeys(a.key, b.key);
      return order != 0 ? order < 0 : a.trailer > b.trailer;
    });
    return;
  }
  const Slice first = entries_[0].key;
  size_t prefix = first.size();
  for (const Entry& entry : entries_) prefix = SharedPrefix(first, entry.key, prefix);
  for (Entry& entry : entries_) entry.digest = Digest(entry.key, prefix);
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    if (a.digest != b.digest) return a.digest < b.digest;
    const int order = a.key.compare(b.key);
    return order != 0 ? order < 0 : a.trailer > b.trailer;
  });
}

}  // namespace leveldb
