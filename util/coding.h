// How numbers and strings are written into files: little-endian fixed-width integers, varints
// (seven bits a byte, low group first, high bit = more follows) and length-prefixed strings.
//
// Three families: Store* writes to memory that the caller has sized and returns nothing or one past
// the end; Append* adds to a string; Load* reads. The checked reader for bytes that cannot be
// trusted is SliceReader, at the end.
#ifndef BUSHSTORE_UTIL_CODING_H_
#define BUSHSTORE_UTIL_CODING_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "leveldb/slice.h"

namespace leveldb {

// The most bytes a varint takes.
constexpr int kMaxVarint32Length = 5;
constexpr int kMaxVarint64Length = 10;

namespace coding_internal {

// Host order from or to little-endian order.
inline uint32_t LittleEndian(uint32_t v) {
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap32(v);
  return v;
}
inline uint64_t LittleEndian(uint64_t v) {
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  return v;
}

// The general cases of LoadVarint32 and LoadVarint64.
const char* LoadLongVarint32(const char* p, const char* limit, uint32_t* value);
const char* LoadLongVarint64(const char* p, const char* limit, uint64_t* value);

}  // namespace coding_internal

// Fixed-width integers. No alignment is needed.

inline uint32_t LoadFixed32(const char* p) {
  uint32_t v;
  memcpy(&v, p, sizeof(v));
  return coding_internal::LittleEndian(v);
}

inline uint64_t LoadFixed64(const char* p) {
  uint64_t v;
  memcpy(&v, p, sizeof(v));
  return coding_internal::LittleEndian(v);
}

inline void StoreFixed32(char* p, uint32_t v) {
  v = coding_internal::LittleEndian(v);
  memcpy(p, &v, sizeof(v));
}

inline void StoreFixed64(char* p, uint64_t v) {
  v = coding_internal::LittleEndian(v);
  memcpy(p, &v, sizeof(v));
}

inline void AppendFixed32(std::string* dst, uint32_t v) {
  char bytes[sizeof(v)];
  StoreFixed32(bytes, v);
  dst->append(bytes, sizeof(bytes));
}

inline void AppendFixed64(std::string* dst, uint64_t v) {
  char bytes[sizeof(v)];
  StoreFixed64(bytes, v);
  dst->append(bytes, sizeof(bytes));
}

// Varints.

// Bytes that v takes as a varint: 1 to 10.
inline int VarintLength(uint64_t v) {
  return (9 * std::bit_width(v | 1) + 64) / 64;  // what dividing by seven comes to, up to 64 bits
}

// Writes v at p, which has room for kMaxVarint64Length bytes; returns one past the last byte.
inline char* StoreVarint64(char* p, uint64_t v) {
  while (v >= 0x80) {
    *p++ = static_cast<char>(v | 0x80);
    v >>= 7;
  }
  *p++ = static_cast<char>(v);
  return p;
}

// The same with room for kMaxVarint32Length bytes.
inline char* StoreVarint32(char* p, uint32_t v) {
  return StoreVarint64(p, v);
}

inline void AppendVarint32(std::string* dst, uint32_t v) {
  char bytes[kMaxVarint32Length];
  dst->append(bytes, static_cast<size_t>(StoreVarint32(bytes, v) - bytes));
}

inline void AppendVarint64(std::string* dst, uint64_t v) {
  char bytes[kMaxVarint64Length];
  dst->append(bytes, static_cast<size_t>(StoreVarint64(bytes, v) - bytes));
}

// Reads a varint from [p, limit) and returns one past it; null when it is cut short, longer than
// its type allows or out of range, and *value is then undefined.
inline const char* LoadVarint32(const char* p, const char* limit, uint32_t* value) {
  if (p < limit && (*p & 0x80) == 0) {
    *value = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return coding_internal::LoadLongVarint32(p, limit, value);
}

inline const char* LoadVarint64(const char* p, const char* limit, uint64_t* value) {
  if (p < limit && (*p & 0x80) == 0) {
    *value = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return coding_internal::LoadLongVarint64(p, limit, value);
}

// Strings: varint32 length, then the bytes. REQUIRES: s is shorter than 4 GiB.
inline void AppendLengthPrefixed(std::string* dst, const Slice& s) {
  AppendVarint32(dst, static_cast<uint32_t>(s.size()));
  dst->append(s.data(), s.size());
}

// Reads one field after the other from bytes that it does not own. Every read checks first: it
// returns false, and leaves the reader and the result as they were, when the input is cut short or
// malformed.
class SliceReader {
 public:
  explicit SliceReader(const Slice& bytes)
      : position_(bytes.data()), limit_(bytes.data() + bytes.size()) {}

  bool ReadByte(uint8_t* value) {
    if (position_ == limit_) return false;
    *value = static_cast<uint8_t>(*position_++);
    return true;
  }

  bool ReadFixed32(uint32_t* value) {
    if (remaining() < sizeof(*value)) return false;
    *value = LoadFixed32(position_);
    position_ += sizeof(*value);
    return true;
  }

  bool ReadFixed64(uint64_t* value) {
    if (remaining() < sizeof(*value)) return false;
    *value = LoadFixed64(position_);
    position_ += sizeof(*value);
    return true;
  }

  bool ReadVarint32(uint32_t* value) {
    uint32_t v;
    const char* const next = LoadVarint32(position_, limit_, &v);
    if (next == nullptr) return false;
    *value = v;
    position_ = next;
    return true;
  }

  bool ReadVarint64(uint64_t* value) {
    uint64_t v;
    const char* const next = LoadVarint64(position_, limit_, &v);
    if (next == nullptr) return false;
    *value = v;
    position_ = next;
    return true;
  }

  // The next n bytes. The result points into the reader's input.
  bool ReadBytes(size_t n, Slice* bytes) {
    if (n > remaining()) return false;
    *bytes = Slice(position_, n);
    position_ += n;
    return true;
  }

  // The bytes of a length-prefixed string. The result points into the reader's input.
  bool ReadLengthPrefixed(Slice* bytes) {
    uint32_t length;
    const char* const start = LoadVarint32(position_, limit_, &length);
    if (start == nullptr || length > static_cast<size_t>(limit_ - start)) return false;
    *bytes = Slice(start, length);
    position_ = start + length;
    return true;
  }

  bool empty() const { return position_ == limit_; }
  size_t remaining() const { return static_cast<size_t>(limit_ - position_); }

  // What has not been read yet.
  Slice rest() const { return Slice(position_, remaining()); }

 private:
  const char* position_;
  const char* limit_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_CODING_H_
