// The built-in Bloom filter policy. A filter is an array of bits followed by one byte with the
// number of probes for each key:
//
//    | bits, lowest first | probes |
//
// The probes of a key are h, h + d, h + 2d, ... modulo the number of bits, with h its hash and d
// that hash rotated.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "leveldb/filter_policy.h"
#include "leveldb/slice.h"
#include "util/hash.h"

namespace leveldb {

namespace {

constexpr int kMostProbes = 30;
constexpr size_t kLeastBits = 64;  // Tiny filters would answer "maybe" too often.

uint32_t BloomHash(const Slice& key) {
  constexpr uint32_t kSeed = 0xbc9f1d34;
  return Hash(key.data(), key.size(), kSeed);
}

uint32_t ProbeStep(uint32_t hash) {
  return std::rotr(hash, 17);
}

// Modulo computes remainders by one divisor without division (Lemire, Kaser, Kurz: "Faster
// remainder by direct computation"). It is exact for all 32-bit numbers.
class Modulo {
 public:
  explicit Modulo(uint32_t divisor) : divisor_(divisor), inverse_(~uint64_t{0} / divisor + 1) {}

  uint32_t Of(uint32_t x) const {
    const uint64_t fraction = inverse_ * x;
    return static_cast<uint32_t>((static_cast<unsigned __int128>(fraction) * divisor_) >> 64);
  }

 private:
  const uint32_t divisor_;
  const uint64_t inverse_;
};

class BloomFilterPolicy final : public FilterPolicy {
 public:
  // bits * ln 2 probes give the fewest false positives; 0.69 rounds that down.
  explicit BloomFilterPolicy(int bits_per_key)
      : bits_per_key_(static_cast<size_t>(std::max(bits_per_key, 0))),
        probes_(std::clamp(static_cast<int>(bits_per_key * 0.69), 1, kMostProbes)) {}

  const char* Name() const override { return "leveldb.BuiltinBloomFilter2"; }

  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    const size_t bytes = FilterBytes(static_cast<size_t>(n));
    const size_t start = dst->size();
    dst->resize(start + bytes, '\0');
    dst->push_back(static_cast<char>(probes_));
    char* const bits = dst->data() + start;
    const Modulo modulo(static_cast<uint32_t>(bytes * 8));
    for (int i = 0; i < n; i++) {
      uint32_t h = BloomHash(keys[i]);
      const uint32_t step = ProbeStep(h);
      for (int probe = 0; probe < probes_; probe++, h += step) {
        const uint32_t bit = modulo.Of(h);
        bits[bit / 8] = static_cast<char>(bits[bit / 8] | (1 << (bit % 8)));
      }
    }
  }

  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    if (filter.size() < 2) return false;
    const char* const bits = filter.data();
    const int probes = static_cast<uint8_t>(filter[filter.size() - 1]);
    if (probes > kMostProbes) return true;  // reserved for other encodings, which we cannot read
    const size_t bit_count = (filter.size() - 1) * 8;
    const bool beyond_hashes = bit_count > UINT32_MAX;  // Then every hash is its own remainder.
    const uint32_t divisor = beyond_hashes ? 1 : static_cast<uint32_t>(bit_count);
    uint32_t h = BloomHash(key);
    const uint32_t step = ProbeStep(h);
    for (int probe = 0; probe < probes; probe++, h += step) {
      const uint32_t bit = beyond_hashes ? h : h % divisor;
      if ((bits[bit / 8] & (1 << (bit % 8))) == 0) return false;
    }
    return true;
  }

 private:
  // Returns the size of a filter of n keys: whole bytes, and less than 2^32 bits.
  size_t FilterBytes(size_t n) const {
    constexpr size_t kMostBytes = UINT32_MAX / 8;
    const size_t bits = std::max(n * bits_per_key_, kLeastBits);
    return std::min((bits + 7) / 8, kMostBytes);
  }

  const size_t bits_per_key_;
  const int probes_;
};

}  // namespace

const FilterPolicy* NewBloomFilterPolicy(int bits_per_key) {
  return new BloomFilterPolicy(bits_per_key);
}

}  // namespace leveldb
