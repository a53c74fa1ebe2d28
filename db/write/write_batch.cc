// WriteBatch: a string in the form of a write-ahead log record (entry/batch_cursor.h).
#include "leveldb/write_batch.h"

#include "entry/batch_cursor.h"
#include "util/coding.h"

namespace leveldb {

WriteBatch::Handler::~Handler() = default;

WriteBatch::WriteBatch() : rep_(kBatchHeaderSize, '\0') {}

WriteBatch::~WriteBatch() = default;

void WriteBatch::Clear() {
  rep_.assign(kBatchHeaderSize, '\0');
}

size_t WriteBatch::ApproximateSize() const {
  return rep_.size();
}

void WriteBatch::Put(const Slice& key, const Slice& value) {
  SetBatchCount(&rep_, BatchCount(rep_) + 1);
  rep_.push_back(static_cast<char>(kTypeValue));
  AppendLengthPrefixed(&rep_, key);
  AppendLengthPrefixed(&rep_, value);
}

void WriteBatch::Delete(const Slice& key) {
  SetBatchCount(&rep_, BatchCount(rep_) + 1);
  rep_.push_back(static_cast<char>(kTypeDeletion));
  AppendLengthPrefixed(&rep_, key);
}

void WriteBatch::Append(const WriteBatch& source) {
  SetBatchCount(&rep_, BatchCount(rep_) + BatchCount(source.rep_));
  const size_t source_size = source.rep_.size();  // taken first: `source` may be this batch
  rep_.append(source.rep_, kBatchHeaderSize, source_size - kBatchHeaderSize);
}

Status WriteBatch::Iterate(Handler* handler) const {
  BatchCursor cursor(rep_);
  while (cursor.Next()) {
    if (cursor.type() == kTypeValue) {
      handler->Put(cursor.key(), cursor.value());
    } else {
      handler->Delete(cursor.key());
    }
  }
  return cursor.status();
}

}  // namespace leveldb
