// A latency of a point operation is the call of the store alone. Any write may have to wait for the
// store, so each is timed. Two looks at the clock are a tenth of a fast store's read, and hardly
// anything of a slow one's: of the reads only one in kReadsATimedOne is. In a scan they would cost
// more than the entry: there a latency is taken of kEntries at a time, with the check of what they
// hold, which is the same for all stores.
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

// What a scan does with an entry's value: look at its size, or compare every byte.
enum class Look { kSizes, kValues };

void Write(PeerPhase* phase, const KeyOrder& order) {
  phase->written = {order, 0, phase->generation};
  KeyOrder keys = order;
  KeyBuffer key(0);
  bench::ValueMaker values(*phase->pool, phase->value_size);
  for (uint64_t i = 0; i < phase->num; ++i) {
    const uint64_t number = keys.Next();
    key.Set(number);
    const Slice value = values.Make(number, phase->generation, phase->value_size);
    phase->stats->BeginOperation();
    const Status status = phase->session->Put(key.key(), value);
    phase->stats->EndOperation();
    if (!phase->Check(status)) return;
    phase->stats->AddBytes(key.key().size() + value.size());
    phase->written.count++;
  }
}

void WriteInOrder(PeerPhase* phase) {
  Write(phase, KeyOrder());
}
void WriteAtRandom(PeerPhase* phase) {
  Write(phase, KeyOrder(phase->random, phase->num));
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

void ReadAtRandom(PeerPhase* phase) {
  KeyBuffer key(0);
  std::string value;
  for (uint64_t i = 0; i < phase->reads; ++i) {
    const uint64_t number = phase->random.Uniform(phase->num);
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

void ReadMissing(PeerPhase* phase) {
  KeyBuffer key(0);
  std::string value;
  for (uint64_t i = 0; i < phase->reads; ++i) {
    const uint64_t number = phase->random.Uniform(phase->num);
    key.Set(number);
    const Status status = Get(phase, key.NearMiss(), &value);
    if (status.IsNotFound()) continue;
    if (phase->Check(status)) phase->verifier->FoundNearMiss(number);
    return;
  }
}

// Checks the entries of one scan as they come, until it has seen `limit` of them.
class Scanner final : public ycsbc::ScanVisitor {
 public:
  Scanner(PeerPhase* phase, Look look, uint64_t first, uint64_t limit)
      : phase_(phase), look_(look), limit_(limit), position_{true, first} {}

  // The latency of each kEntries is an operation's of its own.
  void TimeInParts() { part_ = kEntries; }

  uint64_t seen() const { return seen_; }

  bool Visit(const Slice& key, const Slice& value) override {
    phase_->stats->AddBytes(key.size() + value.size());
    is_right_ = IsRight(key, value);
    if (!is_right_ || ++seen_ == limit_) return false;
    if (part_ != 0 && seen_ % part_ == 0) {
      phase_->stats->EndOperation(part_);
      phase_->stats->BeginOperation();
    }
    return true;
  }

  // The scan is over. Returns false when the run has to stop.
  bool Finish(const Status& status) {
    if (!phase_->Check(status) || !is_right_) return false;
    return seen_ == limit_ || phase_->verifier->EndScan(position_);
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
};

void ReadEverything(PeerPhase* phase, Look look) {
  Scanner scanner(phase, look, 0, UINT64_MAX);
  scanner.TimeInParts();
  KeyBuffer key(0);
  key.Set(0);
  phase->stats->BeginOperation();
  const Status status = phase->session->ScanEach(key.key(), &scanner);
  const uint64_t rest = scanner.seen() % kEntries;
  if (rest > 0) phase->stats->EndOperation(rest);
  scanner.Finish(status);
}

void ReadInOrder(PeerPhase* phase) {
  ReadEverything(phase, Look::kSizes);
}
void ReadValuesInOrder(PeerPhase* phase) {
  ReadEverything(phase, Look::kValues);
}

void Seek(PeerPhase* phase, Look look) {
  KeyBuffer key(0);
  for (uint64_t i = 0; i < phase->seeks; ++i) {
    const uint64_t number = phase->random.Uniform(phase->num);
    key.Set(number);
    Scanner scanner(phase, look, number, kEntries + 1);
    phase->stats->BeginOperation();
    const Status status = phase->session->ScanEach(key.key(), &scanner);
    phase->stats->EndOperation();
    if (!scanner.Finish(status)) return;
  }
}

void SeekAtRandom(PeerPhase* phase) {
  Seek(phase, Look::kSizes);
}
void SeekAtRandomForValues(PeerPhase* phase) {
  Seek(phase, Look::kValues);
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
      {"fillseq", &WriteInOrder, true, true, 1, 1},
      {"fillrandom", &WriteAtRandom, true, true, 1, 1},
      {"overwrite", &WriteAtRandom, true, false, 1, 1},
      {"readrandom", &ReadAtRandom, false, false, 1, kReadsATimedOne},
      {"readmissing", &ReadMissing, false, false, 1, kReadsATimedOne},
      {"readseq", &ReadInOrder, false, false, kEntries, 1},
      {"readseq_values", &ReadValuesInOrder, false, false, kEntries, 1},
      {"seekrandom", &SeekAtRandom, false, false, 1, 1},
      {"seekrandom_values", &SeekAtRandomForValues, false, false, 1, 1},
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
