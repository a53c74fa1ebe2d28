// KeyOrder is the order in which a benchmark writes the keys of its database.
#ifndef BUSHSTORE_BENCHMARKS_KEY_ORDER_H_
#define BUSHSTORE_BENCHMARKS_KEY_ORDER_H_

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>

#include "util/random.h"

namespace leveldb::bench {

// A copy returns the same keys once more. Not thread-safe.
class KeyOrder {
 public:
  // Orders the keys as 0, 1, 2 and so on.
  KeyOrder() = default;

  // Draws any of the keys 0 to keys - 1, from the current state of `random`.
  KeyOrder(const Random& random, uint64_t keys) : random_(random), keys_(keys) {}

  // Returns an order with each of these keys once, which follows from `random`; then all of them
  // again. REQUIRES: keys > 0.
  static KeyOrder EachOnce(Random random, uint64_t keys) {
    assert(keys > 0);
    KeyOrder order;
    order.keys_ = keys;
    order.shuffle_.emplace(&random, keys);
    return order;
  }

  uint64_t Next() {
    if (random_.has_value()) return random_->Uniform(keys_);
    if (!shuffle_.has_value()) return next_++;
    const uint64_t place = next_;
    next_ = next_ + 1 == keys_ ? 0 : next_ + 1;
    return shuffle_->KeyAt(place);
  }

 private:
  // Shuffle is a Feistel network: each round adds to one half of the number's bits a hash of the
  // other half, which can be inverted, so that no two positions have the same key. It needs no
  // table, whatever the number of keys.
  class Shuffle {
   public:
    Shuffle(Random* random, uint64_t keys) : keys_(keys) {
      while (half_bits_ < 32 && uint64_t{1} << (2 * half_bits_) < keys) ++half_bits_;
      for (uint64_t& round : rounds_) round = random->Next();
    }

    // Returns the key at a position. The network permutes a power of four that is less than four
    // times the keys: a result that is not a key goes through it again, until it is one.
    uint64_t KeyAt(uint64_t place) const {
      do {
        place = Permute(place);
      } while (place >= keys_);
      return place;
    }

   private:
    uint64_t Permute(uint64_t number) const {
      const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
      uint64_t left = number >> half_bits_;
      uint64_t right = number & mask;
      for (const uint64_t round : rounds_) {
        uint64_t hash = (right ^ round) * 0x9e3779b97f4a7c15;
        hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93;
        const uint64_t mixed = (left + (hash >> 32)) & mask;
        left = right;
        right = mixed;
      }
      return left << half_bits_ | right;
    }

    uint64_t keys_;
    int half_bits_ = 1;
    std::array<uint64_t, 4> rounds_{};
  };

  std::optional<Random> random_;
  std::optional<Shuffle> shuffle_;
  uint64_t keys_ = 0;
  uint64_t next_ = 0;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_KEY_ORDER_H_
