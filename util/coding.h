// Encodings of numbers and strings in files: little-endian fixed-width integers, varints (seven
// bits a byte, low group first, high bit = more follows) and length-prefixed strings.
//
// There are three families: Store* writes to memory that the caller has sized, and returns nothing
// or one past the end; Append* appends to a string; Load* reads. SliceReader, at the end, is the
// checked reader for untrusted bytes.
#ifndef BUSHSTORE_UTIL_CODING_H_
#define BUSHSTORE_UTIL_CODING_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "leveldb/slice.h"

namespace leveldb {

// The largest encoded length of a varint.
constexpr int kMaxVarint32Length = 5;
constexpr int kMaxVarint64Length = 10;

namespace coding_internal {

// Converts between host order and little-endian order.
inline uint32_t LittleEndian(uint32_t v) {
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap32(v);
  return v;
}
inline uint64_t LittleEndian(uint64_t v) {
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  return v;
}

// Handle the general cases of LoadVarint32 and LoadVarint64.
const char* LoadLongVarint32(const char* p, const char* limit, uint32_t* value);
const char* LoadLongVarint64(const char* p, const char* limit, uint64_t* value);

}  // namespace coding_internal

// Fixed-width integers. They need no alignment.

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

// Returns the length of v as a varint: 1 to 10 bytes.
inline int VarintLength(uint64_t v) {
  return (9 * std::bit_width(v | 1) + 64) / 64;  // equals division by seven, up to 64 bits
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

// Writes v at p, which has room for kMaxVarint32Length bytes; returns one past the last byte.
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

// Reads a varint from [p, limit) and returns one past it. Returns null if it is cut short, longer
// than its type allows or out of range; *value is undefined then.
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

// Strings: a varint32 length, then the bytes. REQUIRES: s is shorter than 4 GiB.
inline void AppendLengthPrefixed(std::string* dst, const Slice& s) {
  AppendVarint32(dst, static_cast<uint32_t>(s.size()));
  dst->append(s.data(), s.size());
}

// SliceReader reads one field after the other from bytes that it does not own. Every read checks
// first: it returns false, and leaves the reader and the result unchanged, if the input is cut
// short or malformed.
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

  // Reads the next n bytes. The result points into the reader's input.
  bool ReadBytes(size_t n, Slice* bytes) {
    if (n > remaining()) return false;
    *bytes = Slice(position_, n);
    position_ += n;
    return true;
  }

  // Reads a length-prefixed string. The result points into the reader's input.
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

  // Returns the bytes that have not been read yet.
  Slice rest() const { return Slice(position_, remaining()); }

 private:
  const char* position_;
  const char* limit_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_CODING_H_
