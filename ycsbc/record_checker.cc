#include "ycsbc/record_checker.h"

#include <algorithm>
#include <cassert>

#include "util/text.h"

namespace leveldb::ycsbc {

namespace {

std::string Named(Version version) {
  return version == RecordLedger::kUnknown ? "an earlier version"
                                           : "version " + std::to_string(version);
}

}  // namespace

Version RecordChecker::record_version() const {
  return *std::max_element(versions_.begin(), versions_.end());
}

bool RecordChecker::Wrong(uint64_t record, const std::string& words) {
  failure_->Report(ExitCode::kWrongData, "wrong data: key " + records_.keys->KeyOf(record) +
                                             " (record " + std::to_string(record) + "): " + words);
  return false;
}

bool RecordChecker::CheckStatus(const char* call, uint64_t record, const Status& status) {
  if (status.ok()) return true;
  failure_->Report(ExitCode::kStoreFailed, std::string(call) + " of key " +
                                               records_.keys->KeyOf(record) +
                                               " failed: " + status.ToString());
  return false;
}

Version RecordChecker::NewestPossible(uint64_t record) const {
  if (!records_.ledger->Has(record)) return RecordLedger::kAbsent;
  const RecordLedger::Entry now = records_.ledger->Get(record);
  if (now.version == RecordLedger::kUnknown) return RecordLedger::kUnknown;
  return now.version + (now.is_written_now ? 1 : 0);
}

bool RecordChecker::CheckValue(uint64_t record, Version least, Version most, const Slice& value) {
  if (!records_.codec->Check(record, value, &versions_, &wrong_)) return Wrong(record, wrong_);
  const Version found = record_version();
  const bool least_is_known = least != RecordLedger::kUnknown;
  if (found == RecordLedger::kAbsent || (least_is_known && found < least)) {
    return Wrong(record, "it is in version " + std::to_string(found) + ", though version " +
                             std::to_string(least) + " had been acknowledged");
  }
  if (most == RecordLedger::kAbsent && !records_.knows_absence) return true;
  if (found > most) {
    const size_t field = static_cast<size_t>(std::max_element(versions_.begin(), versions_.end()) -
                                             versions_.begin());
    return Wrong(record, "field " + std::to_string(field) + " is in version " +
                             std::to_string(found) + ", which nobody has written; the last is " +
                             std::to_string(most));
  }
  return true;
}

bool RecordChecker::AfterRead(uint64_t record, const Status& status, const Slice& value) {
  if (status.IsNotFound()) {
    if (before_.version == RecordLedger::kAbsent) return true;
    return Wrong(record,
                 "it was not found, though " + Named(before_.version) + " had been acknowledged");
  }
  if (!CheckStatus("a read", record, status)) return false;
  if (!CheckValue(record, before_.version, NewestPossible(record), value)) return false;
  if (before_.version == RecordLedger::kUnknown) records_.ledger->Learn(record, record_version());
  return true;
}

bool RecordChecker::OwnRead(uint64_t record, Version version, const Status& status,
                            const Slice& value) {
  if (status.IsNotFound()) {
    return Wrong(record, "it was not found, though " + Named(version) + " had been acknowledged");
  }
  return CheckStatus("a read", record, status) && CheckValue(record, version, version, value);
}

void RecordChecker::BeforeScan(uint64_t start, size_t count) {
  assert(records_.order != nullptr);
  least_.clear();
  before_ = records_.ledger->Get(start);
  if (!records_.order->Has(start)) return;
  const size_t first = records_.order->PlaceOf(start);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t record = records_.order->At(first + i);
    if (record == ScanOrder::kEnd) return;
    least_.push_back(records_.ledger->Get(record).version);
  }
}

// `place` is the record's position among those that ScanOrder knows, or after the last one
// expected.
bool RecordChecker::CheckScanned(uint64_t record, size_t place, const Slice& value) {
  const Version least = place < least_.size() ? least_[place] : RecordLedger::kUnknown;
  return CheckValue(record, least, NewestPossible(record), value);
}

// Records that were inserted after ScanOrder was made are between those it knows, and may be
// missing; the others may not. A scan that begins at a new record follows the order from the first
// known one on.
bool RecordChecker::AfterScan(uint64_t start, size_t count, const Status& status,
                              const EntryList& result) {
  if (!CheckStatus("a scan", start, status)) return false;
  if (result.size() > count) {
    return Wrong(start, "a scan of " + std::to_string(count) + " from here found " +
                            std::to_string(result.size()));
  }
  const bool starts_in_order = records_.order->Has(start);
  size_t known = 0;  // records of the order so far
  // The position of the record that must come next, once it is known.
  size_t next_place = starts_in_order ? records_.order->PlaceOf(start) : 0;
  bool next_is_known = starts_in_order;
  Slice previous;
  for (size_t i = 0; i < result.size(); ++i) {
    uint64_t record = 0;
    const bool is_key = records_.keys->Parse(result.key(i), &record);
    if (!is_key || (records_.knows_absence && !records_.ledger->Has(record))) {
      return Wrong(start, "a scan from here found the key \"" + Escaped(result.key(i)) +
                              "\", which nobody has written");
    }
    if (i > 0 && result.key(i).compare(previous) <= 0) {
      return Wrong(record, "a scan found it behind the key \"" + Escaped(previous) + "\"");
    }
    previous = result.key(i);
    if (i == 0 && record != start && before_.version != RecordLedger::kAbsent) {
      return Wrong(start, "a scan from here did not find it");
    }
    if (!records_.order->Has(record)) {
      if (!CheckScanned(record, least_.size(), result.value(i))) return false;
      continue;
    }
    if (!next_is_known) {
      next_place = records_.order->PlaceOf(record);
    } else if (const uint64_t next = records_.order->At(next_place); record != next) {
      return Wrong(next == ScanOrder::kEnd ? record : next, "a scan passed it over");
    }
    const size_t place = starts_in_order ? known : least_.size();
    if (!CheckScanned(record, place, result.value(i))) return false;
    ++known;
    ++next_place;
    next_is_known = true;
  }
  const uint64_t next = records_.order->At(next_place);
  if (result.size() < count && next_is_known && next != ScanOrder::kEnd) {
    return Wrong(next, "a scan from key " + records_.keys->KeyOf(start) + " ended before it");
  }
  return true;
}

}  // namespace leveldb::ycsbc
