// CRC-32C (Castagnoli), the checksum of every block and record on disk.
//
// It uses the CPU's crc32 instruction if there is one, with three streams at a time for larger
// inputs.
#ifndef BUSHSTORE_UTIL_CRC32C_H_
#define BUSHSTORE_UTIL_CRC32C_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {
namespace crc32c {

// Returns the CRC of A followed by data[0, n), where crc is the CRC of A (0 for an empty A).
uint32_t Extend(uint32_t crc, const char* data, size_t n);

// Returns the CRC of data[0, n).
inline uint32_t Value(const char* data, size_t n) {
  return Extend(0, data, n);
}

// Returns the masked CRC, which is the form stored in files: a CRC over bytes that contain CRCs
// themselves is weak.
inline uint32_t Mask(uint32_t crc) {
  constexpr uint32_t kMaskDelta = 0xa282ead8;
  return ((crc >> 15) | (crc << 17)) + kMaskDelta;
}

inline uint32_t Unmask(uint32_t masked) {
  constexpr uint32_t kMaskDelta = 0xa282ead8;
  const uint32_t rotated = masked - kMaskDelta;
  return (rotated << 15) | (rotated >> 17);
}

// The methods to compute Extend, fastest last. Extend picks the last that this CPU can run.
enum class Method { kPortable, kSse42, kSse42Pclmul };

bool MethodIsSupported(Method method);

// Equals Extend, by the given method. REQUIRES: MethodIsSupported(method).
uint32_t ExtendWith(Method method, uint32_t crc, const char* data, size_t n);

}  // namespace crc32c
}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_CRC32C_H_
