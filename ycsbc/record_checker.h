// RecordChecker compares the store's answers with the ledger. record_ledger.h tells which versions
// a read may find; the ledger is therefore read before each call of the store and after it.
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

// Records describes the records of a run, shared by its threads.
struct Records {
  const RecordKeys* keys;
  const RecordCodec* codec;
  RecordLedger* ledger;
  const ScanOrder* order;  // null if nothing is scanned
  // Whether records that are absent in the ledger are also absent in the store: not after a run
  // that was killed, which may have inserted more.
  bool knows_absence;
};

// Each thread has its own checker. Every check returns true if the answer may be correct; otherwise
// it has reported the failure, and the thread should stop.
class RecordChecker {
 public:
  RecordChecker(const Records& records, RunFailure* failure)
      : records_(records), failure_(failure) {}

  // Called before and after a read of a record.
  void BeforeRead(uint64_t record) { before_ = records_.ledger->Get(record); }
  bool AfterRead(uint64_t record, const Status& status, const Slice& value);

  // Checks a read of a record that this thread is writing (RecordLedger::BeginWrite): it must have
  // exactly `version`, unless that is unknown.
  bool OwnRead(uint64_t record, Version version, const Status& status, const Slice& value);

  // Return the fields' versions in the last correct value, and the greatest of them.
  const std::vector<Version>& versions() const { return versions_; }
  Version record_version() const;

  // Called before and after a scan of `count` records from `start` on, which is in the store.
  void BeforeScan(uint64_t start, size_t count);
  bool AfterScan(uint64_t start, size_t count, const Status& status, const EntryList& result);

  // Checks a call of the store that is not a read.
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
  // The oldest versions in which a scan may find the records that ScanOrder knows.
  std::vector<Version> least_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORD_CHECKER_H_
