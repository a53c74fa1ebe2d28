// Dice: the tests' own random number generator.
//
// It is small, seeded explicitly, the same on every machine, and independent of the generator
// inside the library, so that a change there never changes what a seed means here.

#ifndef BUSHSTORE_TESTING_DICE_H_
#define BUSHSTORE_TESTING_DICE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace leveldb {
namespace testkit {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  // Returns the next 64 random bits.
  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15ull;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    return mixed ^ (mixed >> 31);
  }

  // Returns a number in [0, bound). REQUIRES: bound > 0.
  uint64_t Below(uint64_t bound) { return Next() % bound; }

  // Returns a number in [low, high]. REQUIRES: low <= high.
  uint64_t Between(uint64_t low, uint64_t high) { return low + Below(high - low + 1); }

  bool OneIn(uint64_t n) { return Below(n) == 0; }

  // Returns `size` bytes that do not compress.
  std::string Bytes(size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(Next());
    }
    return bytes;
  }

  // Returns `size` bytes that compress to about half: runs of one letter.
  std::string Text(size_t size) {
    std::string text;
    text.reserve(size);
    while (text.size() < size) {
      text.append(Between(1, 6), static_cast<char>('a' + Below(26)));
    }
    text.resize(size);
    return text;
  }

 private:
  uint64_t state_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_DICE_H_
