// The payload of a record in a pool's log: a group of writes in as few bytes as possible, because
// they are written to persistent memory before the writes are acknowledged.
//
//   sequence   varint64   of the first entry, counted from the first sequence of the log
//   entries, to the end of the payload, each of the next sequence:
//     head     varint64   length of the key << 2 | type
//     key
//     type 0 (delete)     nothing
//     type 1 (put)        varint32 length of the value, then the value
//     type 2 (put)        a value reference, 16 bytes (entry/value_ref.h)
#ifndef BUSHSTORE_ENTRY_COMPACT_BATCH_H_
#define BUSHSTORE_ENTRY_COMPACT_BATCH_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "entry/internal_key.h"
#include "entry/value_ref.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "util/coding.h"
#include "util/copy_short.h"

namespace leveldb {

// The start of a payload whose first entry has the given sequence. CompactStartSize returns its
// size in bytes; StoreCompactStart writes it to p and returns a pointer past the last byte.
// REQUIRES: sequence >= log_first_sequence.
inline size_t CompactStartSize(SequenceNumber sequence, SequenceNumber log_first_sequence) {
  return static_cast<size_t>(VarintLength(sequence - log_first_sequence));
}
inline char* StoreCompactStart(char* p, SequenceNumber sequence,
                               SequenceNumber log_first_sequence) {
  assert(sequence >= log_first_sequence);
  return StoreVarint64(p, sequence - log_first_sequence);
}

// One entry of a payload.
struct CompactEntry {
  ValueType type = kTypeDeletion;
  Slice key;
  Slice value;  // of kTypeValueRef: the encoded reference

  // Bytes in the payload.
  size_t Size() const {
    const size_t size = static_cast<size_t>(VarintLength(Head())) + key.size() + value.size();
    return type != kTypeValue ? size : size + static_cast<size_t>(VarintLength(value.size()));
  }

  // Writes the entry to p, and returns a pointer past the last byte.
  char* Store(char* p) const {
    p = StoreVarint64(p, Head());
    CopyShort(p, key.data(), key.size());
    p += key.size();
    if (type == kTypeValue) p = StoreVarint32(p, static_cast<uint32_t>(value.size()));
    CopyShort(p, value.data(), value.size());
    return p + value.size();
  }

  static constexpr int kTypeBits = 2;

 private:
  uint64_t Head() const { return uint64_t{key.size()} << kTypeBits | type; }
};

// Builds a payload. Not thread-safe. The memory is reused from one batch to the next.
class CompactBatchBuilder {
 public:
  // Begins a batch, without or with its sequence. Without, Number must be called before bytes().
  void Start() {
    if (bytes_ == nullptr) Grow(kHeadRoom);
    end_ = begin_ = kHeadRoom;
    count_ = 0;
  }
  void Start(SequenceNumber sequence, SequenceNumber log_first_sequence) {
    Start();
    Number(sequence, log_first_sequence);
  }

  void Delete(const Slice& key);
  void Put(const Slice& key, const Slice& value);
  // Returns the position of the reference in the batch, for SetReference.
  size_t Put(const Slice& key, const ValueRef& reference);
  // Replaces a reference, for a caller that knows its contents only later.
  void SetReference(size_t spot, const ValueRef& reference);

  uint32_t count() const { return count_; }

  // Returns the number of bytes of the payload after the sequence.
  size_t EntriesSize() const { return end_ - kHeadRoom; }

  // Gives the first entry its sequence. May be called at any time after Start. REQUIRES: sequence
  // >= log_first_sequence.
  void Number(SequenceNumber sequence, SequenceNumber log_first_sequence);

  // Returns the payload, valid until the next change. REQUIRES: the batch has a sequence.
  Slice bytes() const { return Slice(bytes_.get() + begin_, end_ - begin_); }

  // Releases the memory if more than `keep_bytes` are allocated.
  void Shrink(size_t keep_bytes);

 private:
  // The maximum size of the sequence.
  static constexpr size_t kHeadRoom = 10;

  void Append(const CompactEntry& entry);
  void Grow(size_t bytes);

  // kHeadRoom bytes, the last of which hold the sequence, then the entries.
  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t begin_ = kHeadRoom;
  size_t end_ = kHeadRoom;
  uint32_t count_ = 0;
};

// Usage: for (CompactBatchCursor cursor(bytes, first); cursor.Next();) use cursor.type(), key(),
// value(); then check status(). Keys and values point into the payload.
class CompactBatchCursor {
 public:
  // `payload` must outlive the cursor.
  CompactBatchCursor(const Slice& payload, SequenceNumber log_first_sequence);

  // Moves to the next entry. Returns false at the end and at damage; status() tells which.
  bool Next();

  // Returns the sequence of the current entry; before the first Next, that of the first entry.
  SequenceNumber sequence() const { return sequence_; }
  ValueType type() const { return type_; }
  const Slice& key() const { return key_; }
  const Slice& value() const { return value_; }  // of kTypeValueRef: the encoded reference

  // Corruption if the payload is malformed, holds no entry, or has a sequence out of range.
  const Status& status() const { return status_; }

 private:
  bool Fail(const char* what);

  const char* position_;
  const char* limit_;
  bool is_first_ = true;
  SequenceNumber sequence_ = 0;
  ValueType type_ = kTypeValue;
  Slice key_;
  Slice value_;
  Status status_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ENTRY_COMPACT_BATCH_H_
