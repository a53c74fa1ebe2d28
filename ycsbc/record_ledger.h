// RecordLedger knows what the store must hold: the version of every record.
//
// A record's entry has its last acknowledged version, and whether a thread is writing the next one
// now. Only one thread at a time writes a record: an update of one field reads the value, changes
// it and writes it back, and two concurrent updates would lose one. A reader reads the entry before
// it calls the store and again after it. So it knows what the answer may be: a version that is not
// older than the one acknowledged before, and not newer than the one written last, even if that has
// not been acknowledged.
#ifndef BUSHSTORE_YCSBC_RECORD_LEDGER_H_
#define BUSHSTORE_YCSBC_RECORD_LEDGER_H_

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "ycsbc/record_codec.h"

namespace leveldb::ycsbc {

// RecordLedger is thread-safe and takes four bytes for each record.
class RecordLedger {
 public:
  static constexpr Version kAbsent = 0;
  // The record is in the store, in a version that is not known.
  static constexpr Version kUnknown = 0x7fffffff;

  struct Entry {
    Version version;
    bool is_written_now;
  };

  // Makes entries for records from `first` on, all of them absent. Memory is allocated when an
  // entry is used.
  RecordLedger(uint64_t first, uint64_t records);

  uint64_t first() const { return first_; }
  uint64_t records() const { return records_; }
  bool Has(uint64_t record) const { return record - first_ < records_; }

  Entry Get(uint64_t record) const;
  void Set(uint64_t record, Version version);

  // Begins a write of the record, after it has waited for any other thread that writes it. Returns
  // the version that the record has until then.
  Version BeginWrite(uint64_t record);
  // Ends a write that has been acknowledged.
  void EndWrite(uint64_t record, Version version);

  // Tells that a reader has found `version` of a record whose version was unknown. Has no effect if
  // it is known by now.
  void Learn(uint64_t record, Version version);

  // Returns how often BeginWrite had to wait.
  uint64_t waits() const { return waits_.load(std::memory_order_relaxed); }

 private:
  struct Free {
    void operator()(uint32_t* memory) const { std::free(memory); }
  };

  std::atomic_ref<uint32_t> Cell(uint64_t record) const;

  const uint64_t first_;
  const uint64_t records_;
  const std::unique_ptr<uint32_t[], Free> cells_;  // version << 1 | is being written
  std::atomic<uint64_t> waits_{0};
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORD_LEDGER_H_
