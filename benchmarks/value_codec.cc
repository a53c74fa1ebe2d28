#include "benchmarks/value_codec.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "util/coding.h"
#include "util/random.h"

namespace leveldb::bench {

namespace {

constexpr size_t kPoolFragments = kPoolSize / kFragmentSize;
constexpr int kGenerationBits = 8;
constexpr int kDensityBits = 8;

// Spreads every bit of `x` over the whole result.
uint64_t Mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9fb21c651e98df25;
  x ^= x >> 28;
  x *= 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

// Returns the header as a little-endian number.
uint64_t HeaderOf(uint64_t key, Generation generation, Density density, uint64_t size) {
  const uint64_t low = generation | uint64_t{density} << kGenerationBits;
  const uint64_t hash = Mix(key * 0x9e3779b97f4a7c15 + low * 0xc2b2ae3d27d4eb4f + size);
  return hash << (kGenerationBits + kDensityBits) | low;
}

// Returns the offset of a window. It begins at a fragment, as half a fragment would not compress.
size_t WindowOffset(uint64_t header) {
  return ((header >> 32) * kPoolFragments >> 32) * kFragmentSize;
}

// Returns the lowest `bytes` bytes of `header`, with the others zero.
uint64_t CutHeader(uint64_t header, size_t bytes) {
  return bytes >= kValueHeaderSize ? header : header & ((uint64_t{1} << (8 * bytes)) - 1);
}

// Compares the value after its header with the pool, which repeats without end.
bool TextMatches(const Slice& value, const std::string& pool, size_t offset) {
  size_t done = kValueHeaderSize;
  size_t from = offset + kValueHeaderSize;
  while (done < value.size()) {
    const size_t n = std::min(value.size() - done, pool.size() - from);
    if (std::memcmp(value.data() + done, pool.data() + from, n) != 0) return false;
    done += n;
    from = 0;
  }
  return true;
}

}  // namespace

Density DensityFor(double compression_ratio, size_t value_size) {
  const double fragments =
      std::max(1.0, static_cast<double>(value_size) / static_cast<double>(kFragmentSize));
  const double header_share = static_cast<double>(kValueHeaderSize) / fragments;
  const double random_bytes = compression_ratio * kFragmentSize - header_share;
  return static_cast<Density>(
      std::clamp(std::round(random_bytes), 1.0, static_cast<double>(kFragmentSize)));
}

std::string MakeText(Density density, size_t bytes) {
  assert(density >= 1);
  assert(density <= kFragmentSize);
  constexpr uint64_t kPrintable = '~' - ' ' + 1;
  Random random(density);
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) {
    const bool repeats = i % kFragmentSize >= density;
    text[i] = repeats ? text[i - density] : static_cast<char>(' ' + random.Uniform(kPrintable));
  }
  return text;
}

ValuePool::ValuePool(Density density) : density_(density), text_(MakeText(density, kPoolSize)) {}

ValueMaker::ValueMaker(const ValuePool& pool, size_t size_max) : density_(pool.density()) {
  const size_t needed = kPoolSize + std::max(size_max, kValueHeaderSize);
  text_.reserve(needed);
  while (text_.size() < needed) {
    text_.append(pool.text(), 0, std::min(kPoolSize, needed - text_.size()));
  }
  std::memcpy(under_stamp_.data(), text_.data(), kValueHeaderSize);
}

void ValueMaker::TakeStampBack() {
  std::memcpy(text_.data() + stamp_offset_, under_stamp_.data(), kValueHeaderSize);
}

Slice ValueMaker::Make(uint64_t key, Generation generation, size_t size) {
  TakeStampBack();
  const uint64_t header = HeaderOf(key, generation, density_, size);
  stamp_offset_ = WindowOffset(header);
  assert(stamp_offset_ + size <= text_.size());
  char* window = text_.data() + stamp_offset_;
  std::memcpy(under_stamp_.data(), window, kValueHeaderSize);
  StoreFixed64(window, header);
  return Slice(window, size);
}

ValueChecker::ValueChecker(Density expected) : expected_(expected) {}

const ValuePool& ValueChecker::PoolOf(Density density) const {
  if (density == expected_.density()) return expected_;
  std::call_once(others_once_[density],
                 [&] { others_[density] = std::make_unique<ValuePool>(density); });
  return *others_[density];
}

bool ValueChecker::Check(uint64_t key, const Slice& value, Generation* generation) const {
  if (value.empty()) return true;
  char bytes[kValueHeaderSize] = {};
  std::memcpy(bytes, value.data(), std::min(value.size(), kValueHeaderSize));
  const uint64_t header = LoadFixed64(bytes);

  const auto found = static_cast<Generation>(header);
  auto density = static_cast<Density>(header >> kGenerationBits);
  if (value.size() == 1) density = expected_.density();  // a value of one byte has no density
  if (density < 1 || density > kFragmentSize) return false;

  const uint64_t right = HeaderOf(key, found, density, value.size());
  if (header != CutHeader(right, value.size())) return false;
  if (!TextMatches(value, PoolOf(density).text(), WindowOffset(right))) return false;
  *generation = found;
  return true;
}

}  // namespace leveldb::bench
