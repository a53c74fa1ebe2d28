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

#include <cstdint>
#include <string>

#include "entry/internal_key.h"
#include "entry/value_ref.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Makes a payload. Not thread-safe. The memory is kept from one batch to the next.
class CompactBatchBuilder {
 public:
  // Begins a batch. REQUIRES: sequence >= log_first_sequence.
  void Start(SequenceNumber sequence, SequenceNumber log_first_sequence);

  void Delete(const Slice& key);
  void Put(const Slice& key, const Slice& value);
  void Put(const Slice& key, const ValueRef& reference);

  uint32_t count() const { return count_; }
  // Valid until the next change.
  Slice bytes() const { return bytes_; }

  // Gives memory back if there is more of it than this.
  void Shrink(size_t keep_bytes);

 private:
  void AppendKey(const Slice& key, ValueType type);

  std::string bytes_;
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

  // Of the entry; before the first Next, of the one that comes.
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
