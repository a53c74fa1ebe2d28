// The order in which a benchmark writes the keys of its database.
#ifndef BUSHSTORE_BENCHMARKS_KEY_ORDER_H_
#define BUSHSTORE_BENCHMARKS_KEY_ORDER_H_

#include <cstdint>
#include <optional>

#include "util/random.h"

namespace leveldb::bench {

// A copy goes through the same keys once more. Not thread-safe.
class KeyOrder {
 public:
  // 0, 1, 2 and so on.
  KeyOrder() = default;

  // Any of the keys 0 to keys - 1, as `random` draws them from here on.
  KeyOrder(const Random& random, uint64_t keys) : random_(random), keys_(keys) {}

  uint64_t Next() { return random_.has_value() ? random_->Uniform(keys_) : next_++; }

 private:
  std::optional<Random> random_;
  uint64_t keys_ = 0;
  uint64_t next_ = 0;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_KEY_ORDER_H_
