// Formatting and parsing run once per operation and must be short compared with a read of the
// store, so both work on eight digits at a time: the digits are the lanes of one 64-bit word, split
// or joined in three steps (8 digits = 2 x 4 = 4 x 2 = 8 x 1).
#include "benchmarks/key_codec.h"

#include <cassert>
#include <cstring>

#include "util/coding.h"

namespace leveldb::bench {

namespace {

constexpr char kPrefixByte = 'a';
constexpr uint64_t kHundredMillion = 100'000'000;
constexpr uint64_t kAsciiZeros = 0x3030303030303030;

// Returns the eight decimal digits of `n` as text, first digit in the lowest byte.
uint64_t EightDigits(uint64_t n) {
  assert(n < kHundredMillion);
  // Two lanes of 4 digits. x * 10486 >> 20 is x / 100 for every x below 10,000.
  uint64_t lanes = n / 10000 | (n % 10000) << 32;
  uint64_t upper = lanes * 10486 >> 20 & 0x0000007f'0000007f;
  // Four lanes of 2 digits. x * 103 >> 10 is x / 10 for every x below 100.
  lanes = upper | (lanes - upper * 100) << 16;
  upper = lanes * 103 >> 10 & 0x000f'000f'000f'000f;
  lanes = upper | (lanes - upper * 10) << 8;
  return lanes | kAsciiZeros;
}

// Parses eight digits. Returns false if a byte is not a digit.
bool ParseEightDigits(uint64_t text, uint64_t* n) {
  const uint64_t high_nibbles = text & 0xf0f0f0f0f0f0f0f0;
  const uint64_t high_nibbles_plus_6 = (text + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0;
  if (high_nibbles != kAsciiZeros || high_nibbles_plus_6 != kAsciiZeros) return false;
  uint64_t lanes = text & 0x0f0f0f0f0f0f0f0f;
  lanes = (lanes * 10 + (lanes >> 8)) & 0x00ff'00ff'00ff'00ff;
  lanes = (lanes * 100 + (lanes >> 16)) & 0x0000ffff'0000ffff;
  *n = (lanes * 10000 + (lanes >> 32)) & 0xffffffff;
  return true;
}

}  // namespace

KeyBuffer::KeyBuffer(size_t prefix_bytes)
    : prefix_bytes_(prefix_bytes), bytes_(prefix_bytes + kKeyDigits, kPrefixByte) {
  Set(0);
}

void KeyBuffer::Set(uint64_t number) {
  assert(number <= kKeyNumberMax);
  char* digits = bytes_.data() + prefix_bytes_;
  StoreFixed64(digits, EightDigits(number / kHundredMillion));
  StoreFixed64(digits + 8, EightDigits(number % kHundredMillion));
}

bool ParseKey(const Slice& key, size_t prefix_bytes, uint64_t* number) {
  if (key.size() != prefix_bytes + kKeyDigits) return false;
  for (size_t i = 0; i < prefix_bytes; ++i) {
    if (key[i] != kPrefixByte) return false;
  }
  const char* digits = key.data() + prefix_bytes;
  uint64_t upper = 0;
  uint64_t lower = 0;
  if (!ParseEightDigits(LoadFixed64(digits), &upper)) return false;
  if (!ParseEightDigits(LoadFixed64(digits + 8), &lower)) return false;
  *number = upper * kHundredMillion + lower;
  return true;
}

}  // namespace leveldb::bench
