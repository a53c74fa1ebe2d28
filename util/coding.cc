#include "util/coding.h"

namespace leveldb {
namespace coding_internal {

namespace {

// kLastByteMax is the largest value of the last byte of a full-length varint: more bits, or another
// byte, do not fit the type.
template <typename T, int kMaxLength, uint8_t kLastByteMax>
const char* LoadLong(const char* p, const char* limit, T* value) {
  T result = 0;
  for (int i = 0; i < kMaxLength && p < limit; i++) {
    const uint8_t byte = static_cast<uint8_t>(*p++);
    result |= static_cast<T>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) == 0) {
      if (i == kMaxLength - 1 && byte > kLastByteMax) return nullptr;
      *value = result;
      return p;
    }
  }
  return nullptr;
}

}  // namespace

const char* LoadLongVarint32(const char* p, const char* limit, uint32_t* value) {
  return LoadLong<uint32_t, kMaxVarint32Length, 0x0f>(p, limit, value);
}

const char* LoadLongVarint64(const char* p, const char* limit, uint64_t* value) {
  return LoadLong<uint64_t, kMaxVarint64Length, 0x01>(p, limit, value);
}

}  // namespace coding_internal
}  // namespace leveldb
