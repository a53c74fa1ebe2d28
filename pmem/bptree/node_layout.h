// The format of a leaf.
//
//   | header | fingerprints | offsets | prefix | entry 0 | entry 1 | ... | zeros |
//
//   header
//     0  crc            fixed32   CRC-32C of the tree's salt, the leaf's pool offset and bytes
//                                 4 .. used
//     4  used           fixed32   bytes up to the end of the last entry
//     8  count          fixed16   entries, at least 1
//    10  prefix length  fixed16
//    12  trailer width  1 byte    bytes of each entry's trailer, 1 .. 8
//    13  flags          1 byte    bit 0: there are fingerprints
//    14  zeros          2 bytes
//    16  first sequence fixed64   the smallest sequence among the entries
//   fingerprints        1 byte each, in the entries' order: the low byte of HashKey64 of the key
//   offsets             fixed16 each: where the entry begins, from the start of the leaf
//   prefix              the bytes with which all user keys begin
//   entry               in the order of internal keys
//     trailer           (sequence - first sequence) << 2 | type, little-endian
//     suffix length     varint32
//     value length      varint32, only of a kTypeValue
//     suffix            the user key without the prefix
//     value             kTypeValue: the value; kTypeValueRef: the reference, 16 bytes
//
// The size of a leaf is a multiple of 256 bytes, the unit in which persistent memory reads and
// writes. Keys that are not ordered by their bytes have no prefix and no fingerprints: two of them
// may be equal without having the same bytes. A leaf of more than one entry is short enough for
// 16-bit offsets; an entry that is larger has a leaf of its own, without a prefix.
#ifndef BUSHSTORE_PMEM_BPTREE_NODE_LAYOUT_H_
#define BUSHSTORE_PMEM_BPTREE_NODE_LAYOUT_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "entry/internal_key.h"
#include "entry/value_ref.h"
#include "leveldb/slice.h"
#include "pmem/media/pool_offset.h"
#include "util/coding.h"

namespace leveldb {

constexpr size_t kLeafUnit = 256;  // leaves begin at multiples of it, and are multiples of it long
constexpr size_t kLeafHeaderSize = 24;
constexpr uint8_t kLeafHasFingerprints = 1;

// The largest fill size with which leaves of many entries do not outgrow their 16-bit offsets.
constexpr size_t kLeafBytesMax = 32 * 1024;

inline uint16_t LoadFixed16(const char* p) {
  return static_cast<uint16_t>(static_cast<uint8_t>(p[0]) | static_cast<uint8_t>(p[1]) << 8);
}
inline void StoreFixed16(char* p, uint16_t v) {
  p[0] = static_cast<char>(v);
  p[1] = static_cast<char>(v >> 8);
}

inline uint8_t FingerprintOf(uint64_t hash) {
  return static_cast<uint8_t>(hash);
}

// Returns the checksum that the first four bytes of a leaf hold. REQUIRES: used >= kLeafHeaderSize.
uint32_t LeafCrc(const char* leaf, size_t used, uint64_t salt, PoolOffset pool_offset);

// One entry; the slices point into the leaf.
struct LeafEntry {
  Slice suffix;
  Slice value;
  SequenceNumber sequence;
  ValueType type;
};

// Reads a leaf. Trusts nothing in it: whatever the bytes are, no access leaves the leaf.
class LeafView {
 public:
  LeafView() = default;

  // Reads the header of the leaf data[0, size). Returns false if it is malformed; nothing else may
  // be called then. REQUIRES: size >= kLeafUnit.
  bool Open(const char* data, size_t size) {
    assert(size >= kLeafUnit);
    const size_t used = LoadFixed32(data + 4);
    const size_t count = LoadFixed16(data + 8);
    const size_t prefix_length = LoadFixed16(data + 10);
    trailer_width_ = static_cast<uint8_t>(data[12]);
    const uint8_t flags = static_cast<uint8_t>(data[13]);
    const size_t fingerprint_bytes = (flags & kLeafHasFingerprints) != 0 ? count : 0;
    const size_t head = kLeafHeaderSize + fingerprint_bytes + 2 * count + prefix_length;
    if (count == 0 || used > size || head > used) return false;
    if (trailer_width_ == 0 || trailer_width_ > 8) return false;
    data_ = data;
    size_ = size;
    used_ = used;
    count_ = count;
    flags_ = flags;
    prefix_ = Slice(data + head - prefix_length, prefix_length);
    offsets_ = data + kLeafHeaderSize + fingerprint_bytes;
    first_sequence_ = LoadFixed64(data + 16);
    trailer_mask_ = ~uint64_t{0} >> (64 - 8 * trailer_width_);
    return true;
  }

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  size_t used() const { return used_; }
  size_t count() const { return count_; }
  const Slice& prefix() const { return prefix_; }

  // Returns null if there are no fingerprints. Sixteen bytes may be read from any fingerprint on.
  const char* fingerprints() const {
    return (flags_ & kLeafHasFingerprints) != 0 ? data_ + kLeafHeaderSize : nullptr;
  }

  // Returns where the header says that entry i begins; may be after the leaf's end if the leaf is
  // damaged. REQUIRES: i < count().
  const char* EntryStart(size_t i) const { return data_ + LoadFixed16(offsets_ + 2 * i); }

  // Reads entry i. Returns false if it is malformed. REQUIRES: i < count().
  bool ReadEntry(size_t i, LeafEntry* entry) const {
    const char* const limit = data_ + used_;
    const char* p = EntryStart(i);
    if (p + trailer_width_ > limit) return false;
    const uint64_t trailer = LoadTrailer(p);
    p += trailer_width_;
    const uint64_t type = trailer & 3;
    entry->sequence = first_sequence_ + (trailer >> 2);
    entry->type = static_cast<ValueType>(type);
    uint32_t suffix_size;
    p = LoadVarint32(p, limit, &suffix_size);
    if (p == nullptr) return false;
    uint32_t value_size = 0;
    if (type == kTypeValue) {
      p = LoadVarint32(p, limit, &value_size);
      if (p == nullptr) return false;
    } else if (type == kTypeValueRef) {
      value_size = kValueRefSize;
    }
    if (uint64_t{suffix_size} + value_size > static_cast<size_t>(limit - p)) return false;
    entry->suffix = Slice(p, suffix_size);
    entry->value = Slice(p + suffix_size, value_size);
    return type <= kTypeValueRef && entry->sequence <= kMaxSequenceNumber;
  }

  // Does the same in fewer steps for nearly all entries. If it returns false, the caller must use
  // ReadEntry; the entry need not be malformed.
  bool ReadUsualEntry(size_t i, LeafEntry* entry) const {
    constexpr size_t kHeadMax = 8 + 1 + 2;  // trailer and the sizes
    const char* const limit = data_ + used_;
    const char* p = EntryStart(i);
    if (p + kHeadMax > limit) return false;
    const uint64_t trailer = LoadFixed64(p) & trailer_mask_;
    p += trailer_width_;
    const uint64_t type = trailer & 3;
    const size_t suffix_size = static_cast<uint8_t>(*p++);
    size_t value_size = 0;
    if (type == kTypeValue) {
      value_size = static_cast<uint8_t>(*p++);
      if (value_size >= 128) value_size += (size_t{static_cast<uint8_t>(*p++)} << 7) - 128;
    } else if (type == kTypeValueRef) {
      value_size = kValueRefSize;
    }
    const uint64_t sequence = first_sequence_ + (trailer >> 2);
    const bool is_usual = suffix_size < 128 && value_size < 128 * 128 &&
                          suffix_size + value_size <= static_cast<size_t>(limit - p) &&
                          type <= kTypeValueRef && sequence <= kMaxSequenceNumber;
    *entry = {.suffix = Slice(p, suffix_size),
              .value = Slice(p + suffix_size, value_size),
              .sequence = sequence,
              .type = static_cast<ValueType>(type)};
    return is_usual;
  }

  // Returns whether the checksum is right for a leaf at `pool_offset` of the tree with that salt.
  bool IsIntact(uint64_t salt, PoolOffset pool_offset) const {
    return LoadFixed32(data_) == LeafCrc(data_, used_, salt, pool_offset);
  }

 private:
  // Reads eight bytes at once where these are inside the leaf.
  uint64_t LoadTrailer(const char* p) const {
    if (p + 8 <= data_ + size_) return LoadFixed64(p) & trailer_mask_;
    uint64_t trailer = 0;
    for (size_t i = 0; i < trailer_width_; i++) {
      trailer |= uint64_t{static_cast<uint8_t>(p[i])} << (8 * i);
    }
    return trailer;
  }

  const char* data_ = nullptr;
  size_t size_ = 0;
  size_t used_ = 0;
  size_t count_ = 0;
  Slice prefix_;
  const char* offsets_ = nullptr;
  uint64_t first_sequence_ = 0;
  uint64_t trailer_mask_ = 0;
  uint8_t trailer_width_ = 0;
  uint8_t flags_ = 0;
};

// Returns the size of an entry's user key and value, wherever the value lies.
inline uint64_t UserBytes(const LeafView& leaf, const LeafEntry& entry) {
  const uint64_t value_size =
      entry.type == kTypeValueRef ? ValueRefLength(entry.value) : entry.value.size();
  return leaf.prefix().size() + entry.suffix.size() + value_size;
}

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_NODE_LAYOUT_H_
