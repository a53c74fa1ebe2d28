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
  assert(reference.pool_offset != 0);
  assert(reference.pool_offset <= kMaxValueOffset);
  StoreFixed64(to, reference.pool_offset | (reference.is_chunk_list ? kChunkListBit : 0));
  StoreFixed32(to + kLengthOffset, reference.length);
  StoreFixed32(to + kCrcOffset, reference.crc);
}

bool DecodeValueRef(const Slice& encoded, ValueRef* reference) {
  if (encoded.size() != kValueRefSize) return false;
  const uint64_t word = ValueRefOffsetWord(encoded);
  const uint64_t pool_offset = word & ~kChunkListBit;
  if (pool_offset == 0 || pool_offset > kMaxValueOffset) return false;
  reference->pool_offset = pool_offset;
  reference->is_chunk_list = (word & kChunkListBit) != 0;
  reference->length = ValueRefLength(encoded);
  reference->crc = LoadFixed32(encoded.data() + kCrcOffset);
  return true;
}

uint32_t ValueRefLength(const Slice& encoded) {
  assert(encoded.size() == kValueRefSize);
  return LoadFixed32(encoded.data() + kLengthOffset);
}

uint64_t ValueRefOffsetWord(const Slice& encoded) {
  assert(encoded.size() == kValueRefSize);
  return LoadFixed64(encoded.data());
}

}  // namespace leveldb
