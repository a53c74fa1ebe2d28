// A reference to a value that lies in persistent memory: what an entry of kTypeValueRef has instead
// of the value's bytes.
//
//   0   place      fixed64   bits 0-47: where the value begins, in bytes from the pool's base
//                            bits 48-62: zero
//                            bit 63: what begins there is a list of the value's chunks
//   8   length     fixed32   bytes of the value
//   12  crc        fixed32   CRC-32C of the value's bytes
#ifndef BUSHSTORE_ENTRY_VALUE_REF_H_
#define BUSHSTORE_ENTRY_VALUE_REF_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"

namespace leveldb {

constexpr size_t kValueRefSize = 16;

// No pool reaches beyond this many bytes.
constexpr uint64_t kMaxValueOffset = (uint64_t{1} << 48) - 1;

struct ValueRef {
  uint64_t pool_offset = 0;    // at most kMaxValueOffset; 0 is no place
  bool is_chunk_list = false;  // the value is in several pieces (pmem/value)
  uint32_t length = 0;
  uint32_t crc = 0;

  bool operator==(const ValueRef&) const = default;
};

// Writes `reference` to the kValueRefSize bytes at `to`.
void EncodeValueRef(const ValueRef& reference, char* to);

// Returns false for bytes that EncodeValueRef does not make: of another size, with bits set that
// mean nothing, or without a place. Whether something is at the place is for the reader to check.
bool DecodeValueRef(const Slice& encoded, ValueRef* reference);

// The length alone. REQUIRES: `encoded` has kValueRefSize bytes.
uint32_t ValueRefLength(const Slice& encoded);

// The eight bytes of the place, bit 63 included. REQUIRES: likewise.
uint64_t ValueRefOffsetWord(const Slice& encoded);

}  // namespace leveldb

#endif  // BUSHSTORE_ENTRY_VALUE_REF_H_
