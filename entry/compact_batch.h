// The payload of a record in a pool's log: a group of writes in as few bytes as it takes, because
// each of them is written before it is acknowledged.
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

// How a payload begins, of which the first entry has this sequence: the bytes that it takes, and
// writing them to p, which returns one past the last. REQUIRES: sequence >= log_first_sequence.
inline size_t CompactStartSize(SequenceNumber sequence, SequenceNumber log_first_sequence) {
  return static_cast<size_t>(VarintLength(sequence - log_first_sequence));
}
inline char* StoreCompactStart(char* p, SequenceNumber sequence,
                               SequenceNumber log_first_sequence) {
  assert(sequence >= log_first_sequence);
  return StoreVarint64(p, sequence - log_first_sequence);
}

// What follows for each entry.
struct CompactEntry {
  ValueType type = kTypeDeletion;
  Slice key;
  Slice value;  // of kTypeValueRef: the encoded reference

  // Bytes in the payload.
  size_t Size() const {
    const size_t size = static_cast<size_t>(VarintLength(Head())) + key.size() + value.size();
    return type != kTypeValue ? size : size + static_cast<size_t>(VarintLength(value.size()));
  }

  // Writes it to p, and returns one past the last byte.
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

// Makes a payload. Not thread-safe. The memory is kept from one batch to the next.
class CompactBatchBuilder {
 public:
  // Begins a batch, of which the sequence is not known yet, or is.
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
  // Returns the spot of the reference in the batch, for SetReference.
  size_t Put(const Slice& key, const ValueRef& reference);
  // Replaces a reference: what it says of its value may come to be known last.
  void SetReference(size_t spot, const ValueRef& reference);

  uint32_t count() const { return count_; }

  // Bytes of the payload behind the sequence.
  size_t EntriesSize() const { return end_ - kHeadRoom; }

  // Gives the first entry its sequence, at any time after Start: it may come to be known last.
  // REQUIRES: sequence >= log_first_sequence.
  void Number(SequenceNumber sequence, SequenceNumber log_first_sequence);

  // The payload, valid until the next change. REQUIRES: it has been numbered.
  Slice bytes() const { return Slice(bytes_.get() + begin_, end_ - begin_); }

  // Gives memory back if there is more of it than this.
  void Shrink(size_t keep_bytes);

 private:
  // What the sequence takes at most.
  static constexpr size_t kHeadRoom = 10;

  void Append(const CompactEntry& entry);
  void Grow(size_t bytes);

  // kHeadRoom bytes, the last of which the sequence gets, then the entries.
  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t begin_ = kHeadRoom;
  size_t end_ = kHeadRoom;
  uint32_t count_ = 0;
};

// for (CompactBatchCursor cursor(bytes, first); cursor.Next();) use cursor.type(), key(), value();
// then look at status(). Keys and values point into the payload.
class CompactBatchCursor {
 public:
  // `payload` must outlive the cursor.
  CompactBatchCursor(const Slice& payload, SequenceNumber log_first_sequence);

  // Moves to the next entry. Returns false at the end and at damage; status() tells which.
  bool Next();

  // What the entry has; before the first Next, the one that comes.
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
