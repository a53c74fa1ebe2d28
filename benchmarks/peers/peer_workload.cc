// The latency of a point operation is that of the store's call only. Any write may have to wait for
// the store, so each is timed. Two reads of the clock are a tenth of a fast store's point read, and
// hardly anything of a slow one's: only one in kReadsATimedOne point reads is timed. In a scan they
// would cost more than the entry: there a latency covers kEntries at a time, with the check of
// their contents, which is the same for all stores.
#include "benchmarks/peers/peer_workload.h"

#include <string>

#include "benchmarks/key_codec.h"
#include "benchmarks/key_order.h"

namespace leveldb::peers {

namespace {

using bench::KeyBuffer;
using bench::KeyLedger;
using bench::KeyOrder;
using bench::ThreadStats;
using bench::Verifier;

constexpr uint64_t kEntries = 100;
constexpr uint64_t kReadsATimedOne = 8;
constexpr uint64_t kEntriesABatch = 1000;
constexpr uint64_t kKeysAHotOne = 100;

// Whether a scan uses only the size of an entry's value, or compares every byte.
enum class Look { kSizes, kValues };

// Calls `write` for each key in order. It gets a number and its key, and returns false for an
// error.
template <class WriteOne>
void WriteEach(PeerPhase* phase, const KeyOrder& order, KeyLedger::Entry entry,
               const WriteOne& write) {
  phase->written = {order, 0, entry};
  KeyOrder keys = order;
  KeyBuffer key(0);
  for (uint64_t i = 0; i < phase->num && !phase->IsOver(); ++i) {
    const uint64_t number = keys.Next();
    key.Set(number);
    if (!write(number, key.key())) return;
    phase->written.count++;
  }
}

void Write(PeerPhase* phase, const KeyOrder& order) {
  bench::ValueMaker values(*phase->pool, phase->value_size);
  WriteEach(phase, order, phase->generation, [&](uint64_t number, const Slice& key) {
    const Slice value = values.Make(number, phase->generation, phase->value_size);
    phase->stats->BeginOperation();
    const Status status = phase->session->Put(key, value);
    phase->stats->EndOperation();
    phase->stats->AddBytes(key.size() + value.size());
    return phase->Check(status);
  });
}

void WriteInOrder(PeerPhase* phase) {
  Write(phase, KeyOrder());
}
void WriteAtRandom(PeerPhase* phase) {
  Write(phase, KeyOrder(phase->random, phase->num));
}

void WriteEachOnceAtRandom(PeerPhase* phase) {
  Write(phase, KeyOrder::EachOnce(phase->random, phase->num));
}

void Delete(PeerPhase* phase, const KeyOrder& order) {
  WriteEach(phase, order, KeyLedger::kAbsent, [phase](uint64_t /*number*/, const Slice& key) {
    phase->stats->BeginOperation();
    const Status status = phase->session->Delete(key);
    phase->stats->EndOperation();
    phase->stats->AddBytes(key.size());
    return phase->Check(status);
  });
}

void DeleteInOrder(PeerPhase* phase) {
  Delete(phase, KeyOrder());
}
void DeleteAtRandom(PeerPhase* phase) {
  Delete(phase, KeyOrder(phase->random, phase->num));
}

void WriteBatches(PeerPhase* phase) {
  phase->written = {KeyOrder(), 0, phase->generation};
  KeyBuffer key(0);
  bench::ValueMaker values(*phase->pool, phase->value_size);
  ycsbc::EntryList batch;
  for (uint64_t number = 0; number < phase->num && !phase->IsOver();) {
    batch.Clear();
    for (; number < phase->num && batch.size() < kEntriesABatch; ++number) {
      key.Set(number);
      batch.Add(key.key(), values.Make(number, phase->generation, phase->value_size));
    }
    phase->stats->BeginOperation();
    const Status status = phase->session->PutAll(batch);
    phase->stats->EndOperation(batch.size());
    if (!phase->Check(status)) return;
    phase->stats->AddBytes(batch.bytes());
    phase->written.count += batch.size();
  }
}

Status Get(PeerPhase* phase, const Slice& key, std::string* value) {
  phase->stats->BeginOperation();
  Status status = phase->session->Get(key, value);
  phase->stats->EndOperation();
  if (status.ok()) {
    phase->stats->AddFound();
    phase->stats->AddBytes(key.size() + value->size());
  }
  return status;
}

// Reads any of the first `keys` keys, again and again.
void ReadOf(PeerPhase* phase, uint64_t keys) {
  KeyBuffer key(0);
  std::string value;
  for (uint64_t i = 0; i < phase->reads && !phase->IsOver(); ++i) {
    const uint64_t number = phase->random.Uniform(keys);
    key.Set(number);
    const KeyLedger::Entry expected = phase->verifier->Expect(number);
    const Status status = Get(phase, key.key(), &value);
    if (status.IsNotFound()) {
      if (!phase->verifier->NotFound(number, expected)) return;
    } else if (!phase->Check(status) || !phase->verifier->Found(number, expected, value)) {
      return;
    }
  }
}

void ReadAtRandom(PeerPhase* phase) {
  ReadOf(phase, phase->num);
}
void ReadHot(PeerPhase* phase) {
  ReadOf(phase, (phase->num + kKeysAHotOne - 1) / kKeysAHotOne);
}

void ReadMissing(PeerPhase* phase) {
  KeyBuffer key(0);
  std::string value;
  for (uint64_t i = 0; i < phase->reads && !phase->IsOver(); ++i) {
    const uint64_t number = phase->random.Uniform(phase->num);
    key.Set(number);
    const Status status = Get(phase, key.NearMiss(), &value);
    if (status.IsNotFound()) continue;
    if (phase->Check(status)) phase->verifier->FoundNearMiss(number);
    return;
  }
}

// Scanner checks the entries of one scan as they come, until it has seen `limit` of them.
class Scanner final : public ycsbc::ScanVisitor {
 public:
  Scanner(PeerPhase* phase, Look look, const Verifier::ScanPosition& begin, uint64_t limit)
      : phase_(phase), look_(look), limit_(limit), position_(begin) {}

  // Counts the latency of each kEntries as one operation.
  void TimeInParts() { part_ = kEntries; }

  uint64_t seen() const { return seen_; }

  bool Visit(const Slice& key, const Slice& value) override {
    phase_->stats->AddBytes(key.size() + value.size());
    is_right_ = IsRight(key, value);
    if (!is_right_ || ++seen_ == limit_) return false;
    if (part_ != 0 && seen_ % part_ == 0) {
      phase_->stats->EndOperation(part_);
      is_cut_ = phase_->IsOver();
      if (is_cut_) return false;
      phase_->stats->BeginOperation();
    }
    return true;
  }

  // Ends the scan. Returns false if the run has to stop.
  bool Finish(const Status& status) {
    if (!phase_->Check(status) || !is_right_) return false;
    return is_cut_ || seen_ == limit_ || phase_->verifier->EndScan(position_);
  }

 private:
  bool IsRight(const Slice& key, const Slice& value) {
    if (look_ == Look::kValues) return phase_->verifier->ScanEntry(&position_, key, value);
    if (!phase_->verifier->ScanKey(&position_, key)) return false;
    if (value.size() == phase_->value_size) return true;
    phase_->failure->Report(bench::ExitCode::kWrongData,
                            "a scan gave a value of " + std::to_string(value.size()) + " bytes");
    return false;
  }

  PeerPhase* const phase_;
  const Look look_;
  const uint64_t limit_;
  Verifier::ScanPosition position_;
  uint64_t part_ = 0;
  uint64_t seen_ = 0;
  bool is_right_ = true;
  bool is_cut_ = false;  // the time limit of the workload has passed
};

template <class ScanAll>
void ReadEverything(PeerPhase* phase, Look look, bool is_forward, const ScanAll& scan_all) {
  Scanner scanner(phase, look, phase->verifier->BeginScan(is_forward), UINT64_MAX);
  scanner.TimeInParts();
  phase->stats->BeginOperation();
  const Status status = scan_all(&scanner);
  const uint64_t rest = scanner.seen() % kEntries;
  if (rest > 0) phase->stats->EndOperation(rest);
  scanner.Finish(status);
}

void ReadForward(PeerPhase* phase, Look look) {
  KeyBuffer key(0);
  key.Set(0);
  ReadEverything(phase, look, /*is_forward=*/true,
                 [&](Scanner* scanner) { return phase->session->ScanEach(key.key(), scanner); });
}

void ReadInOrder(PeerPhase* phase) {
  ReadForward(phase, Look::kSizes);
}
void ReadValuesInOrder(PeerPhase* phase) {
  ReadForward(phase, Look::kValues);
}
void ReadInReverse(PeerPhase* phase) {
  ReadEverything(phase, Look::kSizes, /*is_forward=*/false,
                 [phase](Scanner* scanner) { return phase->session->ScanEachBack(scanner); });
}

// Seeks with a new iterator to the key of that number, and reads `entries` entries from there on.
bool Seek(PeerPhase* phase, Look look, uint64_t number, uint64_t entries) {
  KeyBuffer key(0);
  key.Set(number);
  Scanner scanner(phase, look, {true, number}, entries);
  phase->stats->BeginOperation();
  const Status status = phase->session->ScanEach(key.key(), &scanner);
  phase->stats->EndOperation();
  return scanner.Finish(status);
}

void SeekAtRandom(PeerPhase* phase, Look look) {
  for (uint64_t i = 0; i < phase->seeks && !phase->IsOver(); ++i) {
    if (!Seek(phase, look, phase->random.Uniform(phase->num), kEntries + 1)) return;
  }
}

void SeekAtRandom(PeerPhase* phase) {
  SeekAtRandom(phase, Look::kSizes);
}
void SeekAtRandomForValues(PeerPhase* phase) {
  SeekAtRandom(phase, Look::kValues);
}
void SeekInOrder(PeerPhase* phase) {
  constexpr uint64_t kStepMax = 100;
  uint64_t number = 0;
  for (uint64_t i = 0; i < phase->seeks && !phase->IsOver(); ++i) {
    number = (number + phase->random.Uniform(kStepMax)) % phase->num;
    if (!Seek(phase, Look::kSizes, number, 1)) return;
  }
}

}  // namespace

bool PeerPhase::Check(const Status& status) const {
  if (status.ok()) return true;
  failure->Report(bench::ExitCode::kCannotRun,
                  std::string(workload->name) + " failed: " + status.ToString());
  return false;
}

const std::vector<PeerWorkload>& AllWorkloads() {
  static const std::vector<PeerWorkload> workloads = {
      {"fillbatch", &WriteBatches, true, true, kEntriesABatch, 1, false},
      {"fillseq", &WriteInOrder, true, true, 1, 1, true},
      {"fillrandom", &WriteAtRandom, true, true, 1, 1, true},
      {"filluniquerandom", &WriteEachOnceAtRandom, true, true, 1, 1, false},
      {"overwrite", &WriteAtRandom, true, false, 1, 1, true},
      {"readrandom", &ReadAtRandom, false, false, 1, kReadsATimedOne, true},
      {"readmissing", &ReadMissing, false, false, 1, kReadsATimedOne, true},
      {"readhot", &ReadHot, false, false, 1, kReadsATimedOne, false},
      {"readseq", &ReadInOrder, false, false, kEntries, 1, true},
      {"readseq_values", &ReadValuesInOrder, false, false, kEntries, 1, true},
      {"readreverse", &ReadInReverse, false, false, kEntries, 1, false},
      {"seekrandom", &SeekAtRandom, false, false, 1, 1, true},
      {"seekrandom_values", &SeekAtRandomForValues, false, false, 1, 1, true},
      {"seekordered", &SeekInOrder, false, false, 1, 1, false},
      {"deleterandom", &DeleteAtRandom, true, false, 1, 1, false},
      {"deleteseq", &DeleteInOrder, true, false, 1, 1, false},
  };
  return workloads;
}

const PeerWorkload* FindWorkload(const std::string& name) {
  for (const PeerWorkload& workload : AllWorkloads()) {
    if (name == workload.name) return &workload;
  }
  return nullptr;
}

}  // namespace leveldb::peers
