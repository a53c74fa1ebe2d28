#include "pmem/media/pool_offset.h"

#include <sys/random.h>

#include <cerrno>
#include <random>

#include "util/coding.h"

namespace leveldb {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

// Returns the value of a lower-case hexadecimal digit, or -1.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

void FillWithRandom(uint8_t* bytes, size_t n) {
  size_t filled = 0;
  while (filled < n) {
    const ssize_t got = getrandom(bytes + filled, n - filled, 0);
    if (got > 0) {
      filled += static_cast<size_t>(got);
    } else if (errno != EINTR) {
      break;
    }
  }
  if (filled == n) return;
  // Kernels without getrandom are older than persistent memory, so the library's source is
  // sufficient there. It is not used first because asking the processor whether it has a source is
  // slow in a virtual machine.
  std::random_device source;
  for (; filled < n; filled++) bytes[filled] = static_cast<uint8_t>(source());
}

}  // namespace

PoolId PoolId::Random() {
  PoolId id;
  FillWithRandom(id.bytes.data(), id.bytes.size());
  return id;
}

std::string PoolId::Text() const {
  std::string text;
  for (const uint8_t byte : bytes) {
    text.push_back(kHexDigits[byte >> 4]);
    text.push_back(kHexDigits[byte & 15]);
  }
  return text;
}

bool PoolId::FromText(const std::string& text, PoolId* id) {
  PoolId parsed;
  if (text.size() != 2 * kSize) return false;
  for (size_t i = 0; i < kSize; i++) {
    const int high = HexValue(text[2 * i]);
    const int low = HexValue(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    parsed.bytes[i] = static_cast<uint8_t>(high << 4 | low);
  }
  *id = parsed;
  return true;
}

uint64_t PoolId::Folded() const {
  const char* const p = reinterpret_cast<const char*>(bytes.data());
  return LoadFixed64(p) ^ LoadFixed64(p + 8);
}

uint64_t RandomSalt() {
  uint64_t salt = 0;
  while (salt == 0) {
    uint8_t bytes[sizeof(salt)];
    FillWithRandom(bytes, sizeof(bytes));
    salt = LoadFixed64(reinterpret_cast<const char*>(bytes));
  }
  return salt;
}

}  // namespace leveldb
