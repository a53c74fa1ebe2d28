#include "entry/compact_batch.h"

#include <cassert>

namespace leveldb {

namespace {

constexpr int kTypeBits = 2;

}  // namespace

void CompactBatchBuilder::Start() {
  bytes_.assign(kHeadRoom, '\0');
  begin_ = kHeadRoom;
  count_ = 0;
}

void CompactBatchBuilder::Number(SequenceNumber sequence, SequenceNumber log_first_sequence) {
  assert(sequence >= log_first_sequence);
  const uint64_t distance = sequence - log_first_sequence;
  begin_ = kHeadRoom - static_cast<size_t>(VarintLength(distance));
  StoreVarint64(bytes_.data() + begin_, distance);
}

void CompactBatchBuilder::AppendKey(const Slice& key, ValueType type) {
  AppendVarint64(&bytes_, uint64_t{key.size()} << kTypeBits | type);
  bytes_.append(key.data(), key.size());
  count_++;
}

void CompactBatchBuilder::Delete(const Slice& key) {
  AppendKey(key, kTypeDeletion);
}

void CompactBatchBuilder::Put(const Slice& key, const Slice& value) {
  AppendKey(key, kTypeValue);
  AppendLengthPrefixed(&bytes_, value);
}

size_t CompactBatchBuilder::Put(const Slice& key, const ValueRef& reference) {
  AppendKey(key, kTypeValueRef);
  char encoded[kValueRefSize];
  EncodeValueRef(reference, encoded);
  bytes_.append(encoded, sizeof(encoded));
  return bytes_.size() - kValueRefSize;
}

void CompactBatchBuilder::SetReference(size_t spot, const ValueRef& reference) {
  assert(spot + kValueRefSize <= bytes_.size());
  EncodeValueRef(reference, bytes_.data() + spot);
}

void CompactBatchBuilder::Shrink(size_t keep_bytes) {
  if (bytes_.capacity() > keep_bytes) std::string().swap(bytes_);
}

CompactBatchCursor::CompactBatchCursor(const Slice& payload, SequenceNumber log_first_sequence)
    : position_(payload.data()), limit_(payload.data() + payload.size()) {
  uint64_t distance;
  position_ = LoadVarint64(position_, limit_, &distance);
  if (position_ == nullptr || position_ == limit_) {
    Fail("a log record without entries");
  } else if (log_first_sequence > kMaxSequenceNumber ||
             distance > kMaxSequenceNumber - log_first_sequence) {
    Fail("sequence number out of range");
  } else {
    sequence_ = log_first_sequence + distance;
  }
}

bool CompactBatchCursor::Fail(const char* what) {
  status_ = Status::Corruption(what);
  return false;
}

bool CompactBatchCursor::Next() {
  if (!status_.ok() || position_ == limit_) return false;
  if (!is_first_ && sequence_++ == kMaxSequenceNumber) return Fail("sequence number out of range");
  is_first_ = false;

  uint64_t head;
  const char* p = LoadVarint64(position_, limit_, &head);
  if (p == nullptr || head >> kTypeBits > static_cast<size_t>(limit_ - p)) {
    return Fail("bad key in a log record");
  }
  key_ = Slice(p, head >> kTypeBits);
  p += key_.size();
  value_ = Slice();
  const uint8_t type = head & ((1 << kTypeBits) - 1);
  switch (type) {
    case kTypeDeletion:
      break;
    case kTypeValue: {
      uint32_t size;
      p = LoadVarint32(p, limit_, &size);
      if (p == nullptr || size > static_cast<size_t>(limit_ - p)) {
        return Fail("bad value in a log record");
      }
      value_ = Slice(p, size);
      break;
    }
    case kTypeValueRef:
      if (static_cast<size_t>(limit_ - p) < kValueRefSize) {
        return Fail("bad reference to a value in a log record");
      }
      value_ = Slice(p, kValueRefSize);
      break;
    default:
      return Fail("unknown type of entry in a log record");
  }
  type_ = static_cast<ValueType>(type);
  position_ = p + value_.size();
  return true;
}

}  // namespace leveldb
