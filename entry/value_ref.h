// A reference to a value in persistent memory, which an entry of kTypeValueRef contains instead of
// the value's bytes.
//
//   0   offset     fixed64   bits 0-47: pool offset at which the value begins, in bytes
//                            bits 48-62: zero
//                            bit 63: a list of the value's chunks is at the offset
//   8   length     fixed32   bytes of the value
//   12  crc        fixed32   CRC-32C of the value's bytes
#ifndef BUSHSTORE_ENTRY_VALUE_REF_H_
#define BUSHSTORE_ENTRY_VALUE_REF_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"

namespace leveldb {

constexpr size_t kValueRefSize = 16;

// The largest pool offset that a reference can hold.
constexpr uint64_t kMaxValueOffset = (uint64_t{1} << 48) - 1;

struct ValueRef {
  uint64_t pool_offset = 0;    // at most kMaxValueOffset; 0 is not a valid offset
  bool is_chunk_list = false;  // the value is in several pieces (pmem/value)
  uint32_t length = 0;
  uint32_t crc = 0;

  bool operator==(const ValueRef&) const = default;
};

// Writes `reference` to the kValueRefSize bytes at `to`.
void EncodeValueRef(const ValueRef& reference, char* to);

// Returns false for bytes that EncodeValueRef cannot produce: of another size, with unused bits
// set, or with offset 0. Whether there is a value at the offset is for the reader to check.
bool DecodeValueRef(const Slice& encoded, ValueRef* reference);

// Returns the length alone. REQUIRES: `encoded` has kValueRefSize bytes.
uint32_t ValueRefLength(const Slice& encoded);

// Returns the eight bytes of the offset, including bit 63. REQUIRES: likewise.
uint64_t ValueRefOffsetWord(const Slice& encoded);

}  // namespace leveldb

#endif  // BUSHSTORE_ENTRY_VALUE_REF_H_
