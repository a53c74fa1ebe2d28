// Which record's key comes next: what a scan must find.
#ifndef BUSHSTORE_YCSBC_SCAN_ORDER_H_
#define BUSHSTORE_YCSBC_SCAN_ORDER_H_

#include <cstdint>
#include <vector>

#include "ycsbc/record_keys.h"

namespace leveldb::ycsbc {

// Of the records that are there when it is made. Immutable; four bytes for each record.
class ScanOrder {
 public:
  static constexpr uint64_t kEnd = UINT64_MAX;

  // Of records [first, first + count). REQUIRES: count < 2^32 - 1.
  ScanOrder(const RecordKeys& keys, uint64_t first, uint64_t count);

  bool Has(uint64_t record) const { return record - first_ < next_.size(); }

  // The record behind `record` in the order of keys, or kEnd. REQUIRES: Has(record).
  uint64_t Next(uint64_t record) const;

 private:
  const uint64_t first_;
  std::vector<uint32_t> next_;  // less first_
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_SCAN_ORDER_H_
