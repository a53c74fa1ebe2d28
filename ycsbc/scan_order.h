// ScanOrder knows the order of the records' keys: what a scan must find.
#ifndef BUSHSTORE_YCSBC_SCAN_ORDER_H_
#define BUSHSTORE_YCSBC_SCAN_ORDER_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ycsbc/record_keys.h"

namespace leveldb::ycsbc {

// It covers the records that exist when it is made. Immutable; eight bytes for each record. The
// records that a scan must find are contiguous, so that looking them up costs little compared with
// the scan.
class ScanOrder {
 public:
  static constexpr uint64_t kEnd = UINT64_MAX;

  // Covers the records [first, first + count). REQUIRES: count < 2^32 - 1.
  ScanOrder(const RecordKeys& keys, uint64_t first, uint64_t count);

  bool Has(uint64_t record) const { return record - first_ < places_.size(); }

  // Returns the position of the record in the order of keys, from 0 on. REQUIRES: Has(record).
  size_t PlaceOf(uint64_t record) const {
    assert(Has(record));
    return places_[record - first_];
  }

  // Returns the record at a position, or kEnd if that is after the last one.
  uint64_t At(size_t place) const {
    return place < records_.size() ? first_ + records_[place] : kEnd;
  }

 private:
  const uint64_t first_;
  std::vector<uint32_t> records_;  // less first_, by position
  std::vector<uint32_t> places_;   // by record, less first_
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_SCAN_ORDER_H_
