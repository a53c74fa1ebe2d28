// Which record's key comes next: what a scan must find.
#ifndef BUSHSTORE_YCSBC_SCAN_ORDER_H_
#define BUSHSTORE_YCSBC_SCAN_ORDER_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ycsbc/record_keys.h"

namespace leveldb::ycsbc {

// Of the records that are there when it is made. Immutable; eight bytes for each record. What a
// scan must find lies side by side, so that looking it up costs little beside the scan itself.
class ScanOrder {
 public:
  static constexpr uint64_t kEnd = UINT64_MAX;

  // Of records [first, first + count). REQUIRES: count < 2^32 - 1.
  ScanOrder(const RecordKeys& keys, uint64_t first, uint64_t count);

  bool Has(uint64_t record) const { return record - first_ < places_.size(); }

  // Which one in the order of keys it is, from 0 on. REQUIRES: Has(record).
  size_t PlaceOf(uint64_t record) const {
    assert(Has(record));
    return places_[record - first_];
  }

  // The record at a place, or kEnd if that is behind the last one.
  uint64_t At(size_t place) const {
    return place < records_.size() ? first_ + records_[place] : kEnd;
  }

 private:
  const uint64_t first_;
  std::vector<uint32_t> records_;  // less first_, by place
  std::vector<uint32_t> places_;   // by record, less first_
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_SCAN_ORDER_H_
