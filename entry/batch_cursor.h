// Iterates over the bytes of a write batch, which are also the payload of a write-ahead log record:
//
//   0..7   sequence of the first entry, fixed64
//   8..11  number of entries, fixed32
//   12..   entries: tag 1, length-prefixed key, length-prefixed value   (put)
//                or tag 0, length-prefixed key                          (delete)
//
// Each entry takes the next sequence number.
#ifndef BUSHSTORE_ENTRY_BATCH_CURSOR_H_
#define BUSHSTORE_ENTRY_BATCH_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "util/coding.h"

namespace leveldb {

constexpr size_t kBatchHeaderSize = 12;

// Lengths have 32 bits everywhere; with a key the table also stores a trailer.
constexpr size_t kMaxKeyBytes = UINT32_MAX - kTrailerSize;
constexpr size_t kMaxValueBytes = UINT32_MAX;

// The number of entries of a batch that was given more than a batch can hold. Such a batch must not
// be used; what was too large is not in it.
constexpr uint32_t kOverfullBatchCount = UINT32_MAX;
constexpr char kOverfullBatch[] =
    "a WriteBatch was given a key or a value of 4 GiB or more, or too many updates";

// REQUIRES of these four functions: `batch` has at least kBatchHeaderSize bytes.
inline SequenceNumber BatchSequence(const Slice& batch) {
  return LoadFixed64(batch.data());
}
inline uint32_t BatchCount(const Slice& batch) {
  return LoadFixed32(batch.data() + 8);
}
inline void SetBatchSequence(std::string* batch, SequenceNumber sequence) {
  StoreFixed64(batch->data(), sequence);
}
inline void SetBatchCount(std::string* batch, uint32_t count) {
  StoreFixed32(batch->data() + 8, count);
}

// Usage: for (BatchCursor cursor(bytes); cursor.Next();) use cursor.type(), key(), value(); then
// check status(). Keys and values point into the batch's bytes.
class BatchCursor {
 public:
  // `batch` must outlive the cursor.
  explicit BatchCursor(const Slice& batch);

  // Moves to the next entry. Returns false at the end and at damage; status() tells which.
  bool Next();

  ValueType type() const { return type_; }
  const Slice& key() const { return key_; }
  const Slice& value() const { return value_; }

  // Corruption if the bytes are too short, an entry is malformed, or after a complete walk the
  // number of entries differs from the header's.
  const Status& status() const { return status_; }

 private:
  bool Fail(const char* what);

  const char* position_;
  const char* limit_;
  uint32_t expected_ = 0;
  uint32_t found_ = 0;
  ValueType type_ = kTypeValue;
  Slice key_;
  Slice value_;
  Status status_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ENTRY_BATCH_CURSOR_H_
