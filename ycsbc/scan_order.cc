#include "ycsbc/scan_order.h"

#include <algorithm>

namespace leveldb::ycsbc {

ScanOrder::ScanOrder(const RecordKeys& keys, uint64_t first, uint64_t count)
    : first_(first), records_(count), places_(count) {
  assert(count < UINT32_MAX);
  struct Keyed {
    uint64_t digits;
    uint32_t record;
  };
  std::vector<Keyed> keyed(count);
  for (uint64_t i = 0; i < count; ++i) {
    keyed[i] = {keys.SortKeyOf(first + i).digits, static_cast<uint32_t>(i)};
  }
  std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
    if (a.digits != b.digits) return a.digits < b.digits;
    return keys.SortKeyOf(first + a.record) < keys.SortKeyOf(first + b.record);
  });
  for (uint32_t place = 0; place < count; ++place) {
    records_[place] = keyed[place].record;
    places_[keyed[place].record] = place;
  }
}

}  // namespace leveldb::ycsbc
