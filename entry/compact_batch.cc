#include "entry/compact_batch.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace leveldb {

namespace {

constexpr size_t kLeastBytes = 256;  // the initial capacity

}  // namespace

void CompactBatchBuilder::Number(SequenceNumber sequence, SequenceNumber log_first_sequence) {
  begin_ = kHeadRoom - CompactStartSize(sequence, log_first_sequence);
  StoreCompactStart(bytes_.get() + begin_, sequence, log_first_sequence);
}

void CompactBatchBuilder::Grow(size_t bytes) {
  const size_t capacity = std::max({bytes, 2 * capacity_, kLeastBytes});
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (bytes_ != nullptr) memcpy(grown.get(), bytes_.get(), end_);
  bytes_ = std::move(grown);
  capacity_ = capacity;
}

void CompactBatchBuilder::Append(const CompactEntry& entry) {
  const size_t most =
      end_ + kMaxVarint64Length + entry.key.size() + kMaxVarint32Length + entry.value.size();
  if (most > capacity_) Grow(most);
  end_ = static_cast<size_t>(entry.Store(bytes_.get() + end_) - bytes_.get());
  count_++;
}

void CompactBatchBuilder::Delete(const Slice& key) {
  Append({kTypeDeletion, key, Slice()});
}

void CompactBatchBuilder::Put(const Slice& key, const Slice& value) {
  Append({kTypeValue, key, value});
}

size_t CompactBatchBuilder::Put(const Slice& key, const ValueRef& reference) {
  char encoded[kValueRefSize];
  EncodeValueRef(reference, encoded);
  Append({kTypeValueRef, key, Slice(encoded, sizeof(encoded))});
  return end_ - kValueRefSize;
}

void CompactBatchBuilder::SetReference(size_t spot, const ValueRef& reference) {
  assert(spot + kValueRefSize <= end_);
  EncodeValueRef(reference, bytes_.get() + spot);
}

void CompactBatchBuilder::Shrink(size_t keep_bytes) {
  if (capacity_ <= keep_bytes) return;
  bytes_.reset();
  capacity_ = 0;
  end_ = begin_ = kHeadRoom;
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
  if (p == nullptr || head >> CompactEntry::kTypeBits > static_cast<size_t>(limit_ - p)) {
    return Fail("bad key in a log record");
  }
  key_ = Slice(p, head >> CompactEntry::kTypeBits);
  p += key_.size();
  value_ = Slice();
  const uint8_t type = head & ((1 << CompactEntry::kTypeBits) - 1);
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
