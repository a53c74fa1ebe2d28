#include "ycsbc/client.h"

#include "benchmarks/seed_of.h"

namespace leveldb::ycsbc {

namespace {

// Returns an upper estimate of how many records a phase inserts.
uint64_t InsertsExpected(const CoreWorkload& workload) {
  return static_cast<uint64_t>(2 * workload.proportion(Operation::kInsert) *
                               static_cast<double>(workload.operation_count));
}

// Returns a seed that is different for any two threads of any two phases, and the same in every
// run: that of the text "1/run/0/operations".
uint64_t SeedOfClient(const Phase& phase, int index, const char* what) {
  return bench::SeedOf(std::to_string(phase.options->seed) + '/' + phase.name() + '/' +
                       std::to_string(index) + '/' + what);
}

}  // namespace

void ClientStats::Count(Operation operation, std::chrono::steady_clock::duration latency,
                        uint64_t bytes) {
  PerOperation& own = by_operation_[static_cast<size_t>(operation)];
  ++own.operations;
  if (with_latency_) {
    if (own.latency == nullptr) own.latency = std::make_unique<Histogram>();
    own.latency->Add(std::chrono::duration<double, std::micro>(latency).count());
  }
  operations_.store(operations() + 1, std::memory_order_relaxed);
  bytes_.store(this->bytes() + bytes, std::memory_order_relaxed);
}

void ClientStats::AddTo(PhaseResult* result) const {
  result->operations += operations();
  result->bytes += bytes();
  result->scanned_records += scanned_records_;
  for (size_t i = 0; i < kOperations; ++i) {
    OperationResult& sum = result->by_operation[i];
    sum.operations += by_operation_[i].operations;
    if (by_operation_[i].latency == nullptr) continue;
    if (!sum.latency.has_value()) sum.latency.emplace();
    sum.latency->Merge(*by_operation_[i].latency);
  }
}

Client::Client(const Phase& phase, int index)
    : phase_(phase),
      workload_(phase.options->workload),
      index_(index),
      session_(phase.store->NewSession()),
      checker_(phase.records, phase.failure),
      random_(SeedOfClient(phase, index, "operations")),
      record_random_(SeedOfClient(phase, index, "records")),
      operations_(workload_.proportions),
      scan_lengths_(workload_.scan_length_distribution, workload_.scan_length_min,
                    workload_.scan_length_max),
      stats_(phase.options->latency),
      watch_(phase.options->latency) {
  if (phase.kind != PhaseKind::kRun) return;
  records_ = NewRecordChooser(workload_, phase.records.ledger->first(), phase.counter,
                              InsertsExpected(workload_));
}

void Client::Run() {
  switch (phase_.kind) {
    case PhaseKind::kLoad:
      ForOwnRecords(workload_.insert_start, [this](uint64_t record) { return Insert(record); });
      break;
    case PhaseKind::kRun:
      DoOperations();
      break;
    case PhaseKind::kCheck:
      ForOwnRecords(phase_.records.ledger->first(),
                    [this](uint64_t record) { return Read(record); });
      break;
  }
}

// Client i of n takes the records i, i + n, i + 2n..., so that all clients are at about the same
// record.
void Client::ForOwnRecords(uint64_t first, const std::function<bool(uint64_t)>& action) {
  const auto step = static_cast<uint64_t>(phase_.options->threads);
  const uint64_t end = first + phase_.operations();
  for (uint64_t record = first + static_cast<uint64_t>(index_); record < end; record += step) {
    if (phase_.failure->happened() || !action(record)) return;
  }
}

uint64_t Client::ShareOf(uint64_t operations) const {
  const auto threads = static_cast<uint64_t>(phase_.options->threads);
  return operations / threads + (static_cast<uint64_t>(index_) < operations % threads ? 1 : 0);
}

void Client::DoOperations() {
  const uint64_t operations = ShareOf(workload_.operation_count);
  const bool may_be_cut = workload_.seconds_max > 0;
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(workload_.seconds_max));
  for (uint64_t i = 0; i < operations; ++i) {
    if (may_be_cut && Clock::now() >= deadline) return;
    if (phase_.failure->happened() || !Do(operations_.Next(&random_))) return;
  }
}

void Client::Count(Operation operation, uint64_t bytes) {
  stats_.Count(operation, watch_.elapsed(), bytes);
}

bool Client::Do(Operation operation) {
  switch (operation) {
    case Operation::kRead:
      return Read(ChooseRecord());
    case Operation::kScan:
      return Scan();
    case Operation::kInsert: {
      const uint64_t record = phase_.counter->Next();
      if (!Insert(record)) return false;
      phase_.counter->Acknowledge(record);
      return true;
    }
    case Operation::kUpdate:
    case Operation::kReadModifyWrite:
      break;
  }
  return Update(operation);
}

bool Client::Read(uint64_t record) {
  phase_.records.keys->Format(record, &key_);
  checker_.BeforeRead(record);
  watch_.Reset();
  const Status status = watch_.Time([&] { return session_->Get(key_, &value_); });
  if (!checker_.AfterRead(record, status, value_)) return false;
  Count(Operation::kRead, key_.size() + value_.size());
  return true;
}

bool Client::Scan() {
  const uint64_t start = ChooseRecord();
  const size_t count = scan_lengths_.Next(&random_);
  phase_.records.keys->Format(start, &key_);
  checker_.BeforeScan(start, count);
  scanned_.Clear();
  watch_.Reset();
  const Status status = watch_.Time([&] { return session_->Scan(key_, count, &scanned_); });
  if (!checker_.AfterScan(start, count, status, scanned_)) return false;
  stats_.CountScanned(scanned_.size());
  Count(Operation::kScan, scanned_.bytes());
  return true;
}

bool Client::Insert(uint64_t record) {
  RecordLedger* const ledger = phase_.records.ledger;
  phase_.records.keys->Format(record, &key_);
  const Version before = ledger->BeginWrite(record);
  const Version version = before == RecordLedger::kUnknown ? 1 : before + 1;
  versions_.assign(phase_.records.codec->field_count(), version);
  phase_.records.codec->Make(record, versions_, &value_);
  watch_.Reset();
  const Status status = watch_.Time([&] { return session_->Insert(key_, value_); });
  ledger->EndWrite(record, status.ok() ? version : RecordLedger::kAbsent);
  if (!checker_.CheckStatus("an insert", record, status)) return false;
  Count(Operation::kInsert, key_.size() + value_.size());
  return true;
}

bool Client::Update(Operation operation) {
  RecordLedger* const ledger = phase_.records.ledger;
  const uint64_t record = ChooseRecord();
  phase_.records.keys->Format(record, &key_);
  const Version before = ledger->BeginWrite(record);
  watch_.Reset();
  Version version = before;
  const bool is_good = Rewrite(operation, record, &version);
  // After a failure the entry is not used any more; this only releases threads that wait for it.
  ledger->EndWrite(record, is_good ? version : RecordLedger::kAbsent);
  return is_good;
}

// The store keeps a record as one value: a write of one field reads the value and writes it back.
// All of that is the operation's latency. A read that only learns the version is not.
bool Client::Rewrite(Operation operation, uint64_t record, Version* version) {
  const bool must_read = operation == Operation::kReadModifyWrite || !workload_.write_all_fields;
  uint64_t bytes = 0;
  if (must_read || *version == RecordLedger::kUnknown) {
    const auto get = [&] { return session_->Get(key_, &value_); };
    const Status status = must_read ? watch_.Time(get) : get();
    if (!checker_.OwnRead(record, *version, status, value_)) return false;
    versions_ = checker_.versions();
    *version = checker_.record_version();
    if (must_read) bytes += key_.size() + value_.size();
  }
  ++*version;
  if (workload_.write_all_fields) {
    versions_.assign(phase_.records.codec->field_count(), *version);
  } else {
    versions_[random_.Uniform(versions_.size())] = *version;
  }
  phase_.records.codec->Make(record, versions_, &value_);
  const Status status = watch_.Time([&] { return session_->Put(key_, value_); });
  if (!checker_.CheckStatus("a write", record, status)) return false;
  Count(operation, bytes + key_.size() + value_.size());
  return true;
}

}  // namespace leveldb::ycsbc
