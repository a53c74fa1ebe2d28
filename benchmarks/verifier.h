// Judges what the store answered against what was written.
//
// Point reads take the key's ledger entry *before* they ask the store (Expect), so that they stay
// right beside writers: at that moment the entry's write was acknowledged, so the store must answer
// with it or with something newer. The only thing newer is the phase that is writing now.
//
// Scans check three things: each value, the order of the keys, and, where nothing is written
// meanwhile, that no key which must be there was passed over.
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

// Thread-safe. Every check returns true when the answer may be right; otherwise it has told the
// Failure, and the thread should stop. With verification off every check is true.
class Verifier {
 public:
  // `writing` is the generation that is being written while the checks run, 0 when none is.
  // All pointers must outlive the verifier and are not owned.
  Verifier(bool enabled, const KeyLedger* ledger, const ValueChecker* checker, Generation writing,
           size_t key_prefix, Failure* failure);

  bool enabled() const { return enabled_; }

  // A read of `key` begins; give the result to Found or NotFound. Where nothing is written, the
  // ledger stands still and is looked up after the read: waiting for its memory before costs more.
  KeyLedger::Entry Expect(uint64_t key) const {
    if (!enabled_) return KeyLedger::kUnknown;
    if (writing_ != 0) return ledger_->Get(key);
    ledger_->Prefetch(key);
    return KeyLedger::kUnknown;
  }

  // The store answered a read of `key` with `value`.
  bool Found(uint64_t key, KeyLedger::Entry expected, const Slice& value) const;

  // The store answered that there is no `key`.
  bool NotFound(uint64_t key, KeyLedger::Entry expected) const;

  // The store answered a read of a key that db_bench never writes.
  bool FoundNearMiss(uint64_t key) const;

  // A new iterator was sent to `key` with Seek(). REQUIRES: nothing is written.
  bool Landed(uint64_t key, const Iterator& iterator) const;

  // A scan's position between entries: all keys below `next` (forward) or from `next` on (backward)
  // have been dealt with.
  struct ScanPosition {
    bool forward;
    uint64_t next;
  };
  ScanPosition BeginScan(bool forward) const;

  // The scan's iterator is at its next entry, or (EndScan) past the last.
  // REQUIRES: nothing is written.
  bool ScanEntry(ScanPosition* position, const Slice& key, const Slice& value) const;
  // The same for a scan that leaves the values alone.
  bool ScanKey(ScanPosition* position, const Slice& key) const;
  bool EndScan(const ScanPosition& position) const;

 private:
  bool Advance(ScanPosition* position, const Slice& key, uint64_t* number) const;

  // The entry to judge by, of a read for which Expect returned `expected`.
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
