// WriteBatch is a string in the form of a write-ahead log record (entry/batch_cursor.h).
#include "leveldb/write_batch.h"

#include "entry/batch_cursor.h"
#include "util/coding.h"

namespace leveldb {

namespace {

// Adds `more` entries to the count and returns true. If the batch cannot hold them, sets the count
// to kOverfullBatchCount and returns false: Put and the other operations have no status to return.
bool CountMore(std::string* rep, uint32_t more, size_t key_bytes, size_t value_bytes) {
  const uint32_t count = BatchCount(*rep);
  const bool fits = key_bytes <= kMaxKeyBytes && value_bytes <= kMaxValueBytes &&
                    more < kOverfullBatchCount - count;
  SetBatchCount(rep, fits ? count + more : kOverfullBatchCount);
  return fits;
}

}  // namespace

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
  if (!CountMore(&rep_, 1, key.size(), value.size())) return;
  rep_.push_back(static_cast<char>(kTypeValue));
  AppendLengthPrefixed(&rep_, key);
  AppendLengthPrefixed(&rep_, value);
}

void WriteBatch::Delete(const Slice& key) {
  if (!CountMore(&rep_, 1, key.size(), 0)) return;
  rep_.push_back(static_cast<char>(kTypeDeletion));
  AppendLengthPrefixed(&rep_, key);
}

void WriteBatch::Append(const WriteBatch& source) {
  if (!CountMore(&rep_, BatchCount(source.rep_), 0, 0)) return;
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
