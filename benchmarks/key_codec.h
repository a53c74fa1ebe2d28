// Encodes the keys of db_bench: a prefix of 'a' bytes (--key_prefix), then a number as 16 decimal
// digits. Key number 42 without a prefix is "0000000000000042".
#ifndef BUSHSTORE_BENCHMARKS_KEY_CODEC_H_
#define BUSHSTORE_BENCHMARKS_KEY_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/slice.h"

namespace leveldb::bench {

constexpr size_t kKeyDigits = 16;
constexpr uint64_t kKeyNumberMax = 9'999'999'999'999'999;

// KeyBuffer holds one key at a time and reuses the same bytes for the next. Not thread-safe.
class KeyBuffer {
 public:
  explicit KeyBuffer(size_t prefix_bytes);

  // Makes this the key of `number`.
  // REQUIRES: number <= kKeyNumberMax.
  void Set(uint64_t number);

  // Valid until the next Set().
  Slice key() const { return Slice(bytes_); }

  // Returns the key without its last digit: it sorts among the keys and is never one of them.
  Slice NearMiss() const { return Slice(bytes_.data(), bytes_.size() - 1); }

 private:
  const size_t prefix_bytes_;
  std::string bytes_;
};

// Sets `*number` to the number of `key`. Returns false if no KeyBuffer of that prefix length makes
// such a key.
bool ParseKey(const Slice& key, size_t prefix_bytes, uint64_t* number);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_KEY_CODEC_H_
