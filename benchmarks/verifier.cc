#include "benchmarks/verifier.h"

#include <algorithm>
#include <limits>

#include "benchmarks/key_codec.h"
#include "util/text.h"

namespace leveldb::bench {

namespace {

// After a Seek, this many keys past its target are looked up in the ledger. That is enough to
// detect a lost key among random ones, and costs little compared with the seek when almost
// everything has been deleted.
constexpr uint64_t kSeekGapMax = 1024;

constexpr uint64_t kPastAllKeys = std::numeric_limits<uint64_t>::max();

std::string KeyName(uint64_t key) {
  return "key " + std::to_string(key);
}

}  // namespace

Verifier::Verifier(bool enabled, const KeyLedger* ledger, const ValueChecker* checker,
                   Generation writing, size_t key_prefix, Failure* failure)
    : enabled_(enabled),
      ledger_(ledger),
      checker_(checker),
      writing_(writing),
      key_prefix_(key_prefix),
      failure_(failure) {}

bool Verifier::Wrong(const std::string& sentence) const {
  failure_->Report(ExitCode::kWrongData, sentence);
  return false;
}

bool Verifier::Foreign(const Slice& key) const {
  return Wrong(
      "the database holds the key \"" + Escaped(key) +
      "\", which db_bench does not write with --key_prefix=" + std::to_string(key_prefix_));
}

bool Verifier::CheckValue(uint64_t key, KeyLedger::Entry expected, const Slice& value) const {
  Generation generation = expected;
  if (!checker_->Check(key, value, &generation)) {
    return Wrong(KeyName(key) + " has a wrong value (" + std::to_string(value.size()) + " bytes)");
  }
  if (expected == KeyLedger::kUnknown) return true;
  if (writing_ != 0 && generation == writing_) return true;
  if (expected == KeyLedger::kAbsent) {
    return Wrong(KeyName(key) + " was found, though it was deleted or never written");
  }
  if (generation == expected) return true;
  return Wrong(KeyName(key) + " has the value of writing phase " + std::to_string(generation) +
               ", though phase " + std::to_string(expected) + " overwrote it");
}

bool Verifier::Found(uint64_t key, KeyLedger::Entry expected, const Slice& value) const {
  return !enabled_ || CheckValue(key, Settle(key, expected), value);
}

bool Verifier::NotFound(uint64_t key, KeyLedger::Entry expected) const {
  if (!enabled_) return true;
  const KeyLedger::Entry entry = Settle(key, expected);
  if (entry == KeyLedger::kAbsent || entry == KeyLedger::kUnknown) return true;
  return Wrong(KeyName(key) + " was written and is not found");
}

bool Verifier::FoundNearMiss(uint64_t key) const {
  return !enabled_ || Wrong("a key just below " + KeyName(key) + " was found and never written");
}

bool Verifier::NonePassedOver(uint64_t begin, uint64_t end) const {
  const uint64_t lost = ledger_->FirstPresent(begin, end);
  return lost == end || Wrong(KeyName(lost) + " was written and an iterator passed over it");
}

bool Verifier::Landed(uint64_t key, const Iterator& iterator) const {
  if (!enabled_) return true;
  if (!iterator.Valid()) return NonePassedOver(key, key + kSeekGapMax);
  uint64_t landed = 0;
  if (!ParseKey(iterator.key(), key_prefix_, &landed)) return Foreign(iterator.key());
  if (landed < key) {
    return Wrong("a seek to " + KeyName(key) + " ended below it, at " + KeyName(landed));
  }
  return NonePassedOver(key, std::min(landed, key + kSeekGapMax)) &&
         CheckValue(landed, ledger_->Get(landed), iterator.value());
}

Verifier::ScanPosition Verifier::BeginScan(bool forward) const {
  return {forward, forward ? 0 : kPastAllKeys};
}

bool Verifier::ScanEntry(ScanPosition* position, const Slice& key, const Slice& value) const {
  if (!enabled_) return true;
  uint64_t number = 0;
  return Advance(position, key, &number) && CheckValue(number, ledger_->Get(number), value);
}

bool Verifier::ScanKey(ScanPosition* position, const Slice& key) const {
  if (!enabled_) return true;
  uint64_t number = 0;
  if (!Advance(position, key, &number)) return false;
  return ledger_->Get(number) != KeyLedger::kAbsent ||
         Wrong(KeyName(number) + " was found, though it was deleted or never written");
}

bool Verifier::Advance(ScanPosition* position, const Slice& key, uint64_t* number) const {
  if (!ParseKey(key, key_prefix_, number)) return Foreign(key);
  const bool in_order = position->forward ? *number >= position->next : *number < position->next;
  if (!in_order) return Wrong("a scan gave " + KeyName(*number) + " out of order");
  const bool complete = position->forward ? NonePassedOver(position->next, *number)
                                          : NonePassedOver(*number + 1, position->next);
  position->next = position->forward ? *number + 1 : *number;
  return complete;
}

bool Verifier::EndScan(const ScanPosition& position) const {
  if (!enabled_) return true;
  return position.forward ? NonePassedOver(position.next, kPastAllKeys)
                          : NonePassedOver(0, position.next);
}

}  // namespace leveldb::bench
