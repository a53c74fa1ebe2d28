#include "db/version/key_digits.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "util/coding.h"

namespace leveldb {

namespace {

size_t CommonPrefixLength(const Slice& a, const Slice& b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t length = 0;
  while (length < limit && a[length] == b[length]) length++;
  return length;
}

// Returns the index of the first of `digits` that is not less than `target`.
size_t LowerBound(const std::vector<uint64_t>& digits, uint64_t target) {
  size_t base = 0;
  size_t size = digits.size();
  while (size > 1) {
    const size_t half = size / 2;
    base += static_cast<size_t>(digits[base + half - 1] < target) * half;
    size -= half;
  }
  if (size == 1 && digits[base] < target) base++;
  return base;
}

}  // namespace

KeyDigits::KeyDigits(const std::vector<Slice>& keys) {
  if (keys.empty()) return;
  common_prefix_ = keys[0];
  for (const Slice& key : keys) {
    common_prefix_ = Slice(keys[0].data(), CommonPrefixLength(common_prefix_, key));
  }
  digits_.reserve(keys.size());
  for (const Slice& key : keys) digits_.push_back(DigitsOf(key));
}

// Returns the number of a key. Missing bytes count as zeros.
// REQUIRES: `key` starts with the common prefix.
uint64_t KeyDigits::DigitsOf(const Slice& key) const {
  assert(key.starts_with(common_prefix_));
  char bytes[sizeof(uint64_t)] = {};
  const size_t size = std::min(sizeof(bytes), key.size() - common_prefix_.size());
  std::memcpy(bytes, key.data() + common_prefix_.size(), size);
  return __builtin_bswap64(LoadFixed64(bytes));
}

KeyDigits::Range KeyDigits::Narrow(const Slice& key) const {
  if (!key.starts_with(common_prefix_)) {
    const size_t position = key.compare(common_prefix_) < 0 ? 0 : digits_.size();
    return {position, position};
  }
  const uint64_t target = DigitsOf(key);
  const size_t begin = LowerBound(digits_, target);
  size_t end = begin;
  while (end < digits_.size() && digits_[end] == target) end++;
  return {begin, end};
}

}  // namespace leveldb
