// Judges what the store answered against the ledger. What a read may find is told in
// record_ledger.h; the ledger is therefore looked at before each call of the store and after it.
#ifndef BUSHSTORE_YCSBC_RECORD_CHECKER_H_
#define BUSHSTORE_YCSBC_RECORD_CHECKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "ycsbc/record_codec.h"
#include "ycsbc/record_keys.h"
#include "ycsbc/record_ledger.h"
#include "ycsbc/run_failure.h"
#include "ycsbc/scan_order.h"
#include "ycsbc/store.h"

namespace leveldb::ycsbc {

// The records of a run, shared by its threads.
struct Records {
  const RecordKeys* keys;
  const RecordCodec* codec;
  RecordLedger* ledger;
  const ScanOrder* order;  // null where nothing is scanned
  // Whether what is absent in the ledger is also absent in the store: not after a run that was
  // killed, which may have inserted more.
  bool knows_absence;
};

// One thread's. Every check returns true when the answer may be right; otherwise it has told the
// failure, and the thread should stop.
class RecordChecker {
 public:
  RecordChecker(const Records& records, RunFailure* failure)
      : records_(records), failure_(failure) {}

  // Around a read of a record.
  void BeforeRead(uint64_t record) { before_ = records_.ledger->Get(record); }
  bool AfterRead(uint64_t record, const Status& status, const Slice& value);

  // A read of a record that this thread is writing (RecordLedger::BeginWrite), so that it has
  // exactly `version`, unless that is unknown.
  bool OwnRead(uint64_t record, Version version, const Status& status, const Slice& value);

  // The fields' versions in the last value that was right, and the greatest of them.
  const std::vector<Version>& versions() const { return versions_; }
  Version record_version() const;

  // Around a scan of `count` records from `start` on, which is in the store.
  void BeforeScan(uint64_t start, size_t count);
  bool AfterScan(uint64_t start, size_t count, const Status& status, const EntryList& result);

  // A call of the store that is not a read.
  bool CheckStatus(const char* call, uint64_t record, const Status& status);

 private:
  bool CheckValue(uint64_t record, Version least, Version most, const Slice& value);
  bool CheckScanned(uint64_t record, size_t place, const Slice& value);
  Version NewestPossible(uint64_t record) const;
  bool Wrong(uint64_t record, const std::string& words);

  const Records records_;
  RunFailure* const failure_;
  RecordLedger::Entry before_{};
  std::vector<Version> versions_;
  std::string wrong_;
  // The versions in which a scan must at least find the records that ScanOrder knows.
  std::vector<Version> least_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORD_CHECKER_H_
