#include "entry/batch_cursor.h"

namespace leveldb {

namespace {

// Reads a length-prefixed string; returns the position after it, or nullptr if it is cut short.
const char* LoadLengthPrefixed(const char* p, const char* limit, Slice* result) {
  uint32_t length;
  p = LoadVarint32(p, limit, &length);
  if (p == nullptr || length > static_cast<size_t>(limit - p)) return nullptr;
  *result = Slice(p, length);
  return p + length;
}

}  // namespace

BatchCursor::BatchCursor(const Slice& batch)
    : position_(batch.data()), limit_(batch.data() + batch.size()) {
  if (batch.size() < kBatchHeaderSize) {
    position_ = limit_;
    Fail("malformed WriteBatch (too small)");
    return;
  }
  expected_ = BatchCount(batch);
  if (expected_ == kOverfullBatchCount) {
    position_ = limit_;
    Fail(kOverfullBatch);
    return;
  }
  position_ += kBatchHeaderSize;
}

bool BatchCursor::Fail(const char* what) {
  status_ = Status::Corruption(what);
  return false;
}

bool BatchCursor::Next() {
  if (!status_.ok()) return false;
  if (position_ == limit_) {
    if (found_ != expected_) return Fail("WriteBatch has wrong count");
    return false;
  }
  const uint8_t tag = static_cast<uint8_t>(*position_);
  if (tag > kTypeValue) return Fail("unknown WriteBatch tag");
  type_ = static_cast<ValueType>(tag);
  const char* p = LoadLengthPrefixed(position_ + 1, limit_, &key_);
  if (type_ == kTypeValue) {
    if (p != nullptr) p = LoadLengthPrefixed(p, limit_, &value_);
    if (p == nullptr) return Fail("bad WriteBatch Put");
  } else {
    if (p == nullptr) return Fail("bad WriteBatch Delete");
    value_ = Slice();
  }
  position_ = p;
  found_++;
  return true;
}

}  // namespace leveldb
