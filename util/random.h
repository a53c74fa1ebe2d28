// Random is a fast pseudo-random generator with an explicit seed, so that every run can be
// repeated. It is not for secrets.
#ifndef BUSHSTORE_UTIL_RANDOM_H_
#define BUSHSTORE_UTIL_RANDOM_H_

#include <bit>
#include <cassert>
#include <cstdint>

namespace leveldb {

// The generator is xoshiro256** (Blackman and Vigna); splitmix64 fills its state from the seed.
// Thread-safety: needs exclusive access.
class Random {
 public:
  // Accepts any seed, 0 included.
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) word = NextSplitMix(&seed);
  }

  // Returns 64 evenly distributed bits.
  uint64_t Next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Returns a number in [0, n). REQUIRES: n > 0.
  uint64_t Uniform(uint64_t n) {
    assert(n > 0);
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >> 64);
  }

  // Returns true once in n times, on average. REQUIRES: n > 0.
  bool OneIn(uint64_t n) { return Uniform(n) == 0; }

  // Returns a number in [0, 2^max_bits) that favours small ones: each length in bits is equally
  // likely. REQUIRES: max_bits < 64.
  uint64_t Skewed(int max_bits) {
    assert(max_bits >= 0 && max_bits < 64);
    return Uniform(uint64_t{1} << Uniform(static_cast<uint64_t>(max_bits) + 1));
  }

 private:
  static uint64_t NextSplitMix(uint64_t* x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_[4];
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_RANDOM_H_
