// Encodes the values of db_bench. A value is derived from the key and from the phase that wrote it,
// so that a read can tell a correct value from a wrong one by comparing memory.
//
//   value  = header (8 bytes) | text
//   header = generation (1 byte) | density (1 byte) | hash of key, generation, density and size (6)
//   text   = bytes 8... of a window of the pool of that density; where the window begins follows
//            from the header. Values shorter than a header are its first bytes.
//
// A pool is 64 KB of text in fragments of 100 bytes; each fragment is `density` random bytes,
// repeated, so that values compress to the ratio of --compression_ratio. It is small so that it
// stays in the CPU's cache: checks must cost little. Pools are the same in every run. The header
// carries all that a reader needs, so values of an earlier run with other options can be checked
// too.
#ifndef BUSHSTORE_BENCHMARKS_VALUE_CODEC_H_
#define BUSHSTORE_BENCHMARKS_VALUE_CODEC_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "leveldb/slice.h"
#include "port/cache_line.h"

namespace leveldb::bench {

constexpr size_t kValueHeaderSize = 8;
constexpr size_t kFragmentSize = 100;
constexpr size_t kPoolSize = 655 * kFragmentSize;

// Random bytes per fragment of a pool: 1 (compresses best) to kFragmentSize (does not compress).
using Density = uint8_t;

// The writing phase of a value. Two consecutive phases never have the same generation.
using Generation = uint8_t;

// Returns the density with which values of `value_size` bytes compress to about `compression_ratio`
// of their size, their incompressible headers included.
Density DensityFor(double compression_ratio, size_t value_size);

// Returns random text of that density, the same for the same arguments.
std::string MakeText(Density density, size_t bytes);

// ValuePool is the text from which values of one density are cut. Immutable, so any thread may read
// it.
class ValuePool {
 public:
  explicit ValuePool(Density density);

  Density density() const { return density_; }
  const std::string& text() const { return text_; }

 private:
  const Density density_;
  std::string text_;
};

// ValueMaker makes values. Not thread-safe: each writing thread has its own.
class alignas(kApartBytes) ValueMaker {
 public:
  // Allows values of up to `size_max` bytes. `pool` is needed during construction only.
  ValueMaker(const ValuePool& pool, size_t size_max);

  // Returns the value of `size` bytes that phase `generation` writes under key `key`; valid until
  // the next call. Large values are not copied: the header overwrites a part of a private pool,
  // which the next call restores. REQUIRES: size <= size_max.
  Slice Make(uint64_t key, Generation generation, size_t size);

 private:
  void TakeStampBack();

  const Density density_;
  std::string text_;  // the pool, repeated until any window of size_max bytes fits
  size_t stamp_offset_ = 0;
  std::array<char, kValueHeaderSize> under_stamp_;
};

// ValueChecker checks values. Thread-safe.
class ValueChecker {
 public:
  // Values of `expected`'s density are checked fastest; other pools are built at their first use.
  explicit ValueChecker(Density expected);

  // Returns true if some phase wrote exactly `value` under `key`, and sets `*generation` to that
  // phase. An empty value cannot be checked: returns true and leaves `*generation` unchanged.
  bool Check(uint64_t key, const Slice& value, Generation* generation) const;

 private:
  const ValuePool& PoolOf(Density density) const;

  const ValuePool expected_;
  // The pools by density, each built once by the first thread that needs it.
  mutable std::array<std::once_flag, kFragmentSize + 1> others_once_;
  mutable std::array<std::unique_ptr<ValuePool>, kFragmentSize + 1> others_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_VALUE_CODEC_H_
