#include "leveldb/comparator.h"

#include <algorithm>
#include <cstdint>

#include "leveldb/slice.h"

namespace leveldb {

Comparator::~Comparator() = default;

namespace {

constexpr uint8_t kHighestByte = 0xff;

class BytewiseOrder final : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override { return a.compare(b); }

  const char* Name() const override { return "leveldb.BytewiseComparator"; }

  // Cuts after the first byte in which the two differ, raised by one, if the result stays below
  // limit.
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {
    const size_t common = std::min(start->size(), limit.size());
    size_t i = 0;
    while (i < common && (*start)[i] == limit[i]) i++;
    if (i == common) return;  // One is a prefix of the other.
    const uint8_t low = static_cast<uint8_t>((*start)[i]);
    const uint8_t high = static_cast<uint8_t>(limit[i]);
    if (low + 1 >= high) return;
    (*start)[i] = static_cast<char>(low + 1);
    start->resize(i + 1);
  }

  // Cuts after the first byte that can be raised by one.
  void FindShortSuccessor(std::string* key) const override {
    for (size_t i = 0; i < key->size(); i++) {
      const uint8_t byte = static_cast<uint8_t>((*key)[i]);
      if (byte == kHighestByte) continue;
      (*key)[i] = static_cast<char>(byte + 1);
      key->resize(i + 1);
      return;
    }
  }
};

}  // namespace

// Never destroyed: databases may be closed from static destructors.
const Comparator* BytewiseComparator() {
  static const Comparator* const bytewise = new BytewiseOrder;
  return bytewise;
}

}  // namespace leveldb
