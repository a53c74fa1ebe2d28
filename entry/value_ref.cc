#include "entry/value_ref.h"

#include <cassert>

#include "util/coding.h"

namespace leveldb {

namespace {

constexpr uint64_t kChunkListBit = uint64_t{1} << 63;
constexpr size_t kLengthOffset = 8;
constexpr size_t kCrcOffset = 12;

}  // namespace

void EncodeValueRef(const ValueRef& reference, char* to) {
  assert(reference.place != 0);
  assert(reference.place <= kMaxValuePlace);
  StoreFixed64(to, reference.place | (reference.is_chunk_list ? kChunkListBit : 0));
  StoreFixed32(to + kLengthOffset, reference.length);
  StoreFixed32(to + kCrcOffset, reference.crc);
}

bool DecodeValueRef(const Slice& encoded, ValueRef* reference) {
  if (encoded.size() != kValueRefSize) return false;
  const uint64_t word = ValueRefPlaceWord(encoded);
  const uint64_t place = word & ~kChunkListBit;
  if (place == 0 || place > kMaxValuePlace) return false;
  reference->place = place;
  reference->is_chunk_list = (word & kChunkListBit) != 0;
  reference->length = ValueRefLength(encoded);
  reference->crc = LoadFixed32(encoded.data() + kCrcOffset);
  return true;
}

uint32_t ValueRefLength(const Slice& encoded) {
  assert(encoded.size() == kValueRefSize);
  return LoadFixed32(encoded.data() + kLengthOffset);
}

uint64_t ValueRefPlaceWord(const Slice& encoded) {
  assert(encoded.size() == kValueRefSize);
  return LoadFixed64(encoded.data());
}

}  // namespace leveldb
