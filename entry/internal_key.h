// Internal keys: the keys by which the entries of the store are sorted.
//
//   internal key = user key | fixed64(sequence << 8 | type)
//
// The order is: user key ascending by the user's comparator, then the trailer descending as one
// 64-bit number, so that the newest version of a user key comes first.
#ifndef BUSHSTORE_ENTRY_INTERNAL_KEY_H_
#define BUSHSTORE_ENTRY_INTERNAL_KEY_H_

#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>

#include "leveldb/comparator.h"
#include "leveldb/slice.h"
#include "util/coding.h"
#include "util/key_bytes.h"

namespace leveldb {

// The position of a write in the history of the database; 0 is before the first write.
using SequenceNumber = uint64_t;

// Eight of the trailer's bits hold the type.
constexpr SequenceNumber kMaxSequenceNumber = (uint64_t{1} << 56) - 1;

enum ValueType : uint8_t {
  kTypeDeletion = 0,
  kTypeValue = 1,
  // The value is in persistent memory, and the entry contains a reference to it
  // (entry/value_ref.h). Used in memtables, trees and the pool's logs, never in tables, .log files
  // or a caller's batch.
  kTypeValueRef = 2,
};

// The highest type: a key with this type sorts before every entry of the same user key and
// sequence.
constexpr ValueType kSeekType = kTypeValueRef;

// The type in keys that only separate the blocks of a table. Tables contain no higher type.
constexpr ValueType kSeparatorType = kTypeValue;

constexpr size_t kTrailerSize = 8;

inline uint64_t PackTrailer(SequenceNumber sequence, ValueType type) {
  assert(sequence <= kMaxSequenceNumber);
  return (sequence << 8) | type;
}

// The parts of an internal key; the user key points into the bytes that were parsed.
struct ParsedKey {
  Slice user_key;
  SequenceNumber sequence = 0;
  ValueType type = kTypeValue;
};

// Appends the internal key of the given parts to `*dst`.
void AppendInternalKey(std::string* dst, const Slice& user_key, SequenceNumber sequence,
                       ValueType type);

// REQUIRES: internal_key has at least kTrailerSize bytes.
inline Slice ExtractUserKey(const Slice& internal_key) {
  assert(internal_key.size() >= kTrailerSize);
  return Slice(internal_key.data(), internal_key.size() - kTrailerSize);
}

// REQUIRES: internal_key has at least kTrailerSize bytes.
inline uint64_t ExtractTrailer(const Slice& internal_key) {
  assert(internal_key.size() >= kTrailerSize);
  return LoadFixed64(internal_key.data() + internal_key.size() - kTrailerSize);
}

// REQUIRES: internal_key has at least kTrailerSize bytes, here and below. Any type is allowed.
inline SequenceNumber ExtractSequence(const Slice& internal_key) {
  return ExtractTrailer(internal_key) >> 8;
}
inline ValueType ExtractType(const Slice& internal_key) {
  return static_cast<ValueType>(ExtractTrailer(internal_key) & 0xff);
}

// Splits `internal_key`, whose type must be at most `highest_type`. Returns false if the bytes are
// shorter than a trailer or have a higher type.
inline bool ParseUpToType(ValueType highest_type, const Slice& internal_key, ParsedKey* result) {
  if (internal_key.size() < kTrailerSize) return false;
  const uint64_t trailer = ExtractTrailer(internal_key);
  const uint8_t type = trailer & 0xff;
  if (type > highest_type) return false;
  result->user_key = ExtractUserKey(internal_key);
  result->sequence = trailer >> 8;
  result->type = static_cast<ValueType>(type);
  return true;
}

inline bool ParseInternalKey(const Slice& internal_key, ParsedKey* result) {
  return ParseUpToType(kTypeValueRef, internal_key, result);
}

// Like ParseInternalKey, for a key from a table, where a value reference is an unknown type.
inline bool ParseTableKey(const Slice& internal_key, ParsedKey* result) {
  return ParseUpToType(kTypeValue, internal_key, result);
}

// An internal key that owns its bytes. Empty until it is set.
class InternalKey {
 public:
  InternalKey() = default;
  InternalKey(const Slice& user_key, SequenceNumber sequence, ValueType type) {
    AppendInternalKey(&rep_, user_key, sequence, type);
  }

  // Copies encoded bytes. Returns false and leaves the key empty if they are too short for an
  // internal key.
  bool DecodeFrom(const Slice& encoded);

  // Returns the encoded bytes, which are valid until the key is changed.
  Slice Encode() const {
    assert(!rep_.empty());
    return rep_;
  }
  Slice user_key() const { return ExtractUserKey(rep_); }
  bool empty() const { return rep_.empty(); }
  void Clear() { rep_.clear(); }

  // Returns "'user key' @ sequence : type", for logs and error messages.
  std::string DebugString() const;

 private:
  std::string rep_;
};

// Orders internal keys by the user's comparator. Has no other state; safe to share.
class InternalKeyComparator final : public Comparator {
 public:
  // `user_comparator` is not owned and must outlive this object.
  explicit InternalKeyComparator(const Comparator* user_comparator);

  const char* Name() const override;
  int Compare(const Slice& a, const Slice& b) const override {
    const int order = CompareUserKeys(ExtractUserKey(a), ExtractUserKey(b));
    if (order != 0) return order;
    const uint64_t trailer_a = ExtractTrailer(a);
    const uint64_t trailer_b = ExtractTrailer(b);
    if (trailer_a == trailer_b) return 0;
    return trailer_a > trailer_b ? -1 : 1;
  }
  int Compare(const InternalKey& a, const InternalKey& b) const {
    return Compare(a.Encode(), b.Encode());
  }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override;
  void FindShortSuccessor(std::string* key) const override;

  int CompareUserKeys(const Slice& a, const Slice& b) const {
    return is_bytewise_ ? CompareBytes(a.data(), a.size(), b.data(), b.size())
                        : AskUserComparator(a, b);
  }
  const Comparator* user_comparator() const { return user_comparator_; }

  // Returns true if user keys are ordered as plain bytes, so that optimizations on their bytes are
  // valid.
  bool is_bytewise() const { return is_bytewise_; }

 private:
  // By value, so that callers that compare bytes need not store their slices in memory.
  int AskUserComparator(Slice a, Slice b) const;

  const Comparator* user_comparator_;
  bool is_bytewise_;
};

// The internal key that a read at `sequence` seeks to: the newest visible version of the user key,
// if there is one, is the first entry at or after it.
class LookupKey {
 public:
  LookupKey(const Slice& user_key, SequenceNumber sequence);
  ~LookupKey();
  LookupKey(const LookupKey&) = delete;
  LookupKey& operator=(const LookupKey&) = delete;

  Slice internal_key() const { return Slice(start_, size_); }
  Slice user_key() const { return Slice(start_, size_ - kTrailerSize); }
  uint64_t hash() const { return hash_; }  // HashKey64 of the user key

 private:
  static constexpr size_t kInlineBytes = 200;  // longer keys go to the heap

  char* start_;
  size_t size_;
  const uint64_t hash_;
  char inline_[kInlineBytes];
};

}  // namespace leveldb

#endif  // BUSHSTORE_ENTRY_INTERNAL_KEY_H_
