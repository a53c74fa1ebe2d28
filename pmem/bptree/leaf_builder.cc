#include "pmem/bptree/leaf_builder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "util/coding.h"
#include "util/copy_short.h"
#include "util/key_bytes.h"

namespace leveldb {

namespace {

// Returns how many bytes a trailer needs for sequences in a range of this size and for two bits of
// type.
size_t TrailerWidth(uint64_t range) {
  return std::max<size_t>(1, (static_cast<size_t>(std::bit_width(range)) + 2 + 7) / 8);
}

}  // namespace

// Adds an entry to the sums.
void LeafBuilder::Count(const ParsedKey& key, const Slice& value, Sums* sums) const {
  if (is_bytewise_ && !entries_.empty()) {
    // Keys in between share what the first and the last share, as keys are in order.
    const size_t most = entries_.size() == 1 ? entries_[0].key_size : sums->prefix_length;
    sums->prefix_length =
        CommonPrefixLength(bytes_.data(), key.user_key.data(), std::min(most, key.user_key.size()));
  }
  sums->smallest_sequence = std::min(sums->smallest_sequence, key.sequence);
  sums->largest_sequence = std::max(sums->largest_sequence, key.sequence);
  sums->key_bytes += key.user_key.size();
  sums->other_bytes += static_cast<size_t>(VarintLength(key.user_key.size())) + value.size();
  if (key.type == kTypeValue) {
    sums->other_bytes += static_cast<size_t>(VarintLength(value.size()));
  }
}

// Returns an upper bound of the leaf's size: lengths of suffixes are counted as those of whole
// keys.
uint64_t LeafBuilder::SizeOf(const Sums& sums, size_t count) const {
  const size_t width = TrailerWidth(sums.largest_sequence - sums.smallest_sequence);
  const size_t each = width + 2 + (is_bytewise_ ? 1 : 0);
  return kLeafHeaderSize + each * count + sums.key_bytes - (count - 1) * sums.prefix_length +
         sums.other_bytes;
}

bool LeafBuilder::Add(const ParsedKey& key, const Slice& value, uint64_t hash, size_t budget) {
  Sums sums = sums_;
  Count(key, value, &sums);
  if (!entries_.empty() && SizeOf(sums, entries_.size() + 1) > budget) return false;
  sums_ = sums;
  entries_.push_back({key.sequence, bytes_end_, static_cast<uint32_t>(key.user_key.size()),
                      static_cast<uint32_t>(value.size()), key.type, FingerprintOf(hash)});
  const size_t end = bytes_end_ + key.user_key.size() + value.size();
  if (end > bytes_.size()) bytes_.resize(2 * end);
  char* const p = bytes_.data() + bytes_end_;
  CopyShort(p, key.user_key.data(), key.user_key.size());
  CopyShort(p + key.user_key.size(), value.data(), value.size());
  bytes_end_ = end;
  return true;
}

char* LeafBuilder::StoreEntry(const Entry& entry, size_t trailer_width, char* p) const {
  const uint64_t trailer = (entry.sequence - sums_.smallest_sequence) << 2 | entry.type;
  StoreFixed64(p, trailer);  // The bytes beyond the width are overwritten by what follows.
  p += trailer_width;
  const size_t suffix_size = entry.key_size - sums_.prefix_length;
  p = StoreVarint32(p, static_cast<uint32_t>(suffix_size));
  if (entry.type == kTypeValue) p = StoreVarint32(p, entry.value_size);
  const size_t size = suffix_size + entry.value_size;
  CopyShort(p, bytes_.data() + entry.key_begin + sums_.prefix_length, size);
  return p + size;
}

Slice LeafBuilder::Finish(size_t* used) {
  assert(!entries_.empty());
  const size_t count = entries_.size();
  const size_t width = TrailerWidth(sums_.largest_sequence - sums_.smallest_sequence);
  const uint64_t most = SizeOf(sums_, count) + sizeof(uint64_t) + kLeafUnit;
  if (leaf_.size() < most) leaf_.resize(most);
  char* const leaf = leaf_.data();

  StoreFixed16(leaf + 8, static_cast<uint16_t>(count));
  StoreFixed16(leaf + 10, static_cast<uint16_t>(sums_.prefix_length));
  leaf[12] = static_cast<char>(width);
  leaf[13] = is_bytewise_ ? kLeafHasFingerprints : 0;
  StoreFixed16(leaf + 14, 0);
  StoreFixed64(leaf + 16, sums_.smallest_sequence);
  char* p = leaf + kLeafHeaderSize;
  if (is_bytewise_) {
    for (const Entry& entry : entries_) *p++ = static_cast<char>(entry.fingerprint);
  }
  char* offset = p;
  p += 2 * count;
  CopyShort(p, bytes_.data(), sums_.prefix_length);
  p += sums_.prefix_length;
  for (const Entry& entry : entries_) {
    assert(p - leaf <= UINT16_MAX);
    StoreFixed16(offset, static_cast<uint16_t>(p - leaf));
    offset += 2;
    p = StoreEntry(entry, width, p);
  }

  *used = static_cast<size_t>(p - leaf);
  StoreFixed32(leaf + 4, static_cast<uint32_t>(*used));
  const size_t size = (*used + kLeafUnit - 1) / kLeafUnit * kLeafUnit;
  assert(size <= leaf_.size());
  memset(p, 0, size - *used);
  entries_.clear();
  bytes_end_ = 0;
  sums_ = Sums();
  return Slice(leaf, size);
}

}  // namespace leveldb
