// Verifier compares the store's answers with what was written.
//
// Point reads take the key's ledger entry *before* they call the store (Expect), so that they are
// correct also with concurrent writers: at that moment the entry's write was acknowledged, so the
// store must answer with it or with something newer. Only the phase that is writing now is newer.
//
// Scans check three things: each value, the order of the keys, and, if nothing is written
// meanwhile, that no key which must be there was skipped.
#ifndef BUSHSTORE_BENCHMARKS_VERIFIER_H_
#define BUSHSTORE_BENCHMARKS_VERIFIER_H_

#include <cstdint>
#include <string>

#include "benchmarks/failure.h"
#include "benchmarks/key_ledger.h"
#include "benchmarks/value_codec.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"

namespace leveldb::bench {

// Verifier is thread-safe. Every check returns true if the answer may be correct; otherwise it has
// reported the failure, and the thread should stop. With verification off every check returns true.
class Verifier {
 public:
  // `writing` is the generation that is being written while the checks run, 0 if there is none. All
  // pointers must outlive the verifier and are not owned.
  Verifier(bool enabled, const KeyLedger* ledger, const ValueChecker* checker, Generation writing,
           size_t key_prefix, Failure* failure);

  bool enabled() const { return enabled_; }

  // Begins a read of `key`; the result must be passed to Found or NotFound. If nothing is written,
  // the ledger does not change and is read after the store: waiting for its memory before costs
  // more.
  KeyLedger::Entry Expect(uint64_t key) const {
    if (!enabled_) return KeyLedger::kUnknown;
    if (writing_ != 0) return ledger_->Get(key);
    ledger_->Prefetch(key);
    return KeyLedger::kUnknown;
  }

  // Checks that the store answered a read of `key` with `value`.
  bool Found(uint64_t key, KeyLedger::Entry expected, const Slice& value) const;

  // Checks that the store answered that there is no `key`.
  bool NotFound(uint64_t key, KeyLedger::Entry expected) const;

  // Reports that the store found a key that db_bench never writes.
  bool FoundNearMiss(uint64_t key) const;

  // Checks the position of a new iterator after Seek() to `key`. REQUIRES: nothing is written.
  bool Landed(uint64_t key, const Iterator& iterator) const;

  // ScanPosition is a scan's position between entries: all keys below `next` (forward) or from
  // `next` on (backward) have been checked.
  struct ScanPosition {
    bool forward;
    uint64_t next;
  };
  ScanPosition BeginScan(bool forward) const;

  // Called when the scan's iterator is at its next entry, or (EndScan) past the last. REQUIRES:
  // nothing is written.
  bool ScanEntry(ScanPosition* position, const Slice& key, const Slice& value) const;
  // Equals ScanEntry for a scan that does not read the values.
  bool ScanKey(ScanPosition* position, const Slice& key) const;
  bool EndScan(const ScanPosition& position) const;

 private:
  bool Advance(ScanPosition* position, const Slice& key, uint64_t* number) const;

  // Returns the entry to compare with, for a read for which Expect returned `expected`.
  KeyLedger::Entry Settle(uint64_t key, KeyLedger::Entry expected) const {
    return writing_ != 0 ? expected : ledger_->Get(key);
  }

  bool CheckValue(uint64_t key, KeyLedger::Entry expected, const Slice& value) const;
  bool NonePassedOver(uint64_t begin, uint64_t end) const;
  bool Wrong(const std::string& sentence) const;
  bool Foreign(const Slice& key) const;

  const bool enabled_;
  const KeyLedger* const ledger_;
  const ValueChecker* const checker_;
  const Generation writing_;
  const size_t key_prefix_;
  Failure* const failure_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_VERIFIER_H_
