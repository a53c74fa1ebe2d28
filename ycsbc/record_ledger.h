// What the store must hold: the version of every record.
//
// A record's entry has its last acknowledged version, and whether a thread is writing the next one
// now. Only one thread at a time writes a record: an update of one field reads the value, changes
// it and writes it back, and two of them at once would lose one. So a reader who looks at the entry
// before it asks the store and again when it has the answer knows what may be in it: a version that
// is not older than the one acknowledged before, and not newer than the one written last, even if
// that has not been acknowledged.
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

// Thread-safe; four bytes for each record.
class RecordLedger {
 public:
  static constexpr Version kAbsent = 0;
  // It is there, in a version that has not been seen.
  static constexpr Version kUnknown = 0x7fffffff;

  struct Entry {
    Version version;
    bool is_written_now;
  };

  // For records from `first` on, all of them absent. Memory is taken when an entry is used.
  RecordLedger(uint64_t first, uint64_t records);

  uint64_t first() const { return first_; }
  uint64_t records() const { return records_; }
  bool Has(uint64_t record) const { return record - first_ < records_; }

  Entry Get(uint64_t record) const;
  void Set(uint64_t record, Version version);

  // A thread begins to write the record; it waits for any other that does. Returns the version that
  // the record has until then.
  Version BeginWrite(uint64_t record);
  // The write has been acknowledged.
  void EndWrite(uint64_t record, Version version);

  // A reader has found `version` of a record whose version was unknown. Counts only if it still is.
  void Learn(uint64_t record, Version version);

  // How often BeginWrite had to wait.
  uint64_t waits() const { return waits_.load(std::memory_order_relaxed); }

 private:
  struct Free {
    void operator()(uint32_t* memory) const { std::free(memory); }
  };

  std::atomic_ref<uint32_t> Cell(uint64_t record) const;

  const uint64_t first_;
  const uint64_t records_;
  const std::unique_ptr<uint32_t[], Free> cells_;  // version << 1 | is written now
  std::atomic<uint64_t> waits_{0};
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORD_LEDGER_H_
