// KeySpace: the keys and values of a stress run. Keys are numbers to the program and bytes to the
// store, and a value says which key it belongs to and which operation wrote it.

#ifndef BUSHSTORE_TESTING_STRESS_KEY_SPACE_H_
#define BUSHSTORE_TESTING_STRESS_KEY_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/slice.h"

namespace leveldb {
namespace testkit {

// The orders that the database of a run may have.
enum class KeyOrder { kBytewise, kReverse, kCaseInsensitive };
constexpr uint64_t kKeyOrders = 3;
const Comparator* ComparatorOf(KeyOrder order);

class KeySpace {
 public:
  // Draws `count` keys that differ under the order: short and long ones, binary ones, and ones with
  // a common prefix.
  KeySpace(uint64_t seed, uint32_t count, KeyOrder order);

  uint32_t size() const { return static_cast<uint32_t>(spellings_.size()); }
  const Comparator* comparator() const { return ComparatorOf(order_); }

  // Returns the bytes of the key; `variant` picks one of those that are equal under the order.
  std::string Spell(uint32_t key, uint64_t variant = 0) const;
  // Finds the key that has these bytes. Returns false if none has.
  bool Find(const Slice& bytes, uint32_t* key) const;
  // All keys in the order of the database, and the position of one among them.
  const std::vector<uint32_t>& ordered() const { return ordered_; }
  uint32_t RankOf(uint32_t key) const { return ranks_[key]; }

 private:
  const KeyOrder order_;
  std::vector<std::string> spellings_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<uint32_t> ordered_;
  std::vector<uint32_t> ranks_;
};

// The least size of a value, which holds its key and operation.
constexpr uint32_t kValueSizeMin = 12;

// Returns what operation `number` of the key's owner writes. REQUIRES: size >= kValueSizeMin.
std::string MakeValue(uint32_t key, uint64_t number, uint32_t size);

// Finds the operation that wrote the value. Returns false if no operation ever writes it under the
// key.
bool ReadValue(uint32_t key, const Slice& value, uint64_t* number);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_KEY_SPACE_H_
