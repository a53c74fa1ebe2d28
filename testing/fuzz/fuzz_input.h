// FuzzInput: splits the bytes that a fuzzer made into numbers and strings.
//
// Reads beyond the end return zeros and empty strings, so that every input is valid and a short one
// gives little to do.
#ifndef BUSHSTORE_TESTING_FUZZ_FUZZ_INPUT_H_
#define BUSHSTORE_TESTING_FUZZ_FUZZ_INPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "leveldb/slice.h"

namespace leveldb {
namespace fuzz {

class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }

  uint8_t Byte() {
    if (rest_.empty()) return 0;
    const uint8_t byte = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return byte;
  }

  bool Flag() { return (Byte() & 1) != 0; }

  // Two or eight bytes, little-endian.
  uint16_t Short() {
    const uint16_t low = Byte();
    return static_cast<uint16_t>(low | Byte() << 8);
  }
  uint64_t Long() {
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number |= uint64_t{Byte()} << (8 * i);
    return number;
  }

  // Returns the next n bytes, or as many as are left.
  Slice Bytes(size_t n) {
    const Slice bytes(rest_.data(), std::min(n, rest_.size()));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  // A string preceded by its length, which has one or two bytes.
  Slice ShortString() { return Bytes(Byte()); }
  Slice String() { return Bytes(Short()); }

  Slice Rest() { return Bytes(rest_.size()); }

 private:
  Slice rest_;
};

// Aborts the program, which the fuzzer notices, unless `holds`.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

}  // namespace fuzz
}  // namespace leveldb

// The entry point that libFuzzer and replay_main.cc call.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif  // BUSHSTORE_TESTING_FUZZ_FUZZ_INPUT_H_
