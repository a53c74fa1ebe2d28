#include "ycsbc/scan_order.h"

#include <algorithm>
#include <cassert>

namespace leveldb::ycsbc {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

}  // namespace

ScanOrder::ScanOrder(const RecordKeys& keys, uint64_t first, uint64_t count)
    : first_(first), next_(count, kNone) {
  assert(count < kNone);
  struct Place {
    uint64_t digits;
    uint32_t record;
  };
  std::vector<Place> places(count);
  for (uint64_t i = 0; i < count; ++i) {
    places[i] = {keys.SortKeyOf(first + i).digits, static_cast<uint32_t>(i)};
  }
  std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
    if (a.digits != b.digits) return a.digits < b.digits;
    return keys.SortKeyOf(first + a.record) < keys.SortKeyOf(first + b.record);
  });
  for (uint64_t i = 1; i < count; ++i) next_[places[i - 1].record] = places[i].record;
}

uint64_t ScanOrder::Next(uint64_t record) const {
  assert(Has(record));
  const uint32_t next = next_[record - first_];
  return next == kNone ? kEnd : first_ + next;
}

}  // namespace leveldb::ycsbc
