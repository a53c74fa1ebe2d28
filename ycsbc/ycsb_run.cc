#include "ycsbc/ycsb_run.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "benchmarks/machine.h"
#include "benchmarks/report_parts.h"
#include "benchmarks/tier_database.h"
#include "ycsbc/acknowledged_counter.h"
#include "ycsbc/scan_order.h"

namespace leveldb::ycsbc {

namespace {

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

bool Writes(PhaseKind kind, const CoreWorkload& workload) {
  if (kind != PhaseKind::kRun) return kind == PhaseKind::kLoad;
  return workload.proportion(Operation::kUpdate) > 0 ||
         workload.proportion(Operation::kInsert) > 0 ||
         workload.proportion(Operation::kReadModifyWrite) > 0;
}

std::string MakeDirectory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return "cannot make " + path + ": " + error.message();
  if (std::filesystem::is_empty(path, error)) return "";
  return path + " holds files that are not ycsbc's; name a new or an empty directory";
}

}  // namespace

YcsbRun::YcsbRun(const RunOptions& options)
    : YcsbRun(options, [name = options.binding](const StoreOptions& store_options,
                                                std::unique_ptr<Store>* store) {
        return OpenStore(name, store_options, store);
      }) {}

YcsbRun::YcsbRun(const RunOptions& options, OpenFunction open)
    : options_(options),
      open_(std::move(open)),
      keys_(options.workload.hashed_keys, options.workload.zero_padding),
      codec_(options.workload) {
  const Binding& binding = *FindBinding(options.binding);
  report_.options = options;
  report_.machine = bench::DescribeMachine();
  report_.library_version = binding.version();
  report_.library_file = bench::FileOfSymbol(binding.symbol);
  file_.binding = options.binding;
  file_.shape = ShapeOf(options.workload);
}

bool YcsbRun::Check(ExitCode code, const std::string& mistake) {
  if (mistake.empty()) return true;
  failure_.Report(code, mistake);
  return false;
}

bool YcsbRun::Matches(const RecordsFile& file) {
  const std::string& path = options_.store.path;
  if (file.binding != file_.binding) {
    return Check(ExitCode::kBadUsage,
                 path + " holds a store of " + file.binding + ", and -db says " + file_.binding);
  }
  if (file.shape == file_.shape) return true;
  return Check(ExitCode::kBadUsage,
               path + " was loaded with " + file.shape + ", and this run has " + file_.shape);
}

// Makes the ledger for the records of file_, with room for `more`.
bool YcsbRun::TakeRecords(uint64_t more) {
  ledger_ = std::make_unique<RecordLedger>(file_.first, file_.count + more);
  report_.ledger_bytes = (file_.count + more) * sizeof(Version);
  if (!file_.is_complete || file_.count == 0) return true;
  return Check(ExitCode::kStoreFailed, LoadVersions(options_.store.path, ledger_.get()));
}

// A load begins with an empty store, or continues where the last one has ended.
bool YcsbRun::PrepareLoad() {
  const CoreWorkload& workload = options_.workload;
  const std::string& path = options_.store.path;
  file_.is_complete = true;
  file_.first = workload.insert_start;
  file_.count = 0;
  if (!HasRecordsFile(path)) {
    return Check(ExitCode::kBadUsage, MakeDirectory(path)) && TakeRecords(workload.insert_count);
  }
  RecordsFile file;
  if (!Check(ExitCode::kStoreFailed, LoadRecordsFile(path, &file))) return false;
  const bool goes_on = file.is_complete && workload.insert_start == file.first + file.count;
  if (goes_on) {
    if (!Matches(file)) return false;
    file_ = file;
    return TakeRecords(workload.insert_count);
  }
  if (workload.insert_start != file.first) {
    const std::string what = file.is_complete ? " end at " + std::to_string(file.first + file.count)
                                              : " are those of a run that did not come to its end";
    return Check(ExitCode::kBadUsage, "insertstart is " + std::to_string(workload.insert_start) +
                                          ", but the records in " + path + what);
  }
  const Status status = RemoveStore(file.binding, path);
  if (!status.ok()) {
    return Check(ExitCode::kStoreFailed,
                 "removing the store in " + path + " failed: " + status.ToString());
  }
  return TakeRecords(workload.insert_count);
}

// A run and a check work on all records of the store.
bool YcsbRun::PrepareRun(PhaseKind kind) {
  const CoreWorkload& workload = options_.workload;
  const std::string& path = options_.store.path;
  const bool inserts_some = kind == PhaseKind::kRun && workload.proportion(Operation::kInsert) > 0;
  const uint64_t inserts = inserts_some ? workload.operation_count : 0;
  RecordsFile file;
  if (HasRecordsFile(path)) {
    if (!Check(ExitCode::kStoreFailed, LoadRecordsFile(path, &file))) return false;
    if (!Matches(file)) return false;
  }
  if (!file.is_complete) {
    file_.is_complete = false;
    file_.first = workload.insert_start;
    file_.count = workload.insert_count;
    TakeRecords(inserts);
    for (uint64_t i = 0; i < file_.count; ++i) {
      ledger_->Set(file_.first + i, RecordLedger::kUnknown);
    }
    return true;
  }
  if (file.first + file.count < workload.record_count) {
    return Check(ExitCode::kBadUsage, "recordcount is " + std::to_string(workload.record_count) +
                                          ", but the records in " + path + " end at " +
                                          std::to_string(file.first + file.count));
  }
  file_ = file;
  return TakeRecords(inserts);
}

bool YcsbRun::Open(PhaseKind kind, std::unique_ptr<Store>* store, double* seconds) {
  using Clock = std::chrono::steady_clock;
  StoreOptions store_options = options_.store;
  store_options.create = kind == PhaseKind::kLoad;
  const Clock::time_point began = Clock::now();
  const Status status = open_(store_options, store);
  *seconds = std::chrono::duration<double>(Clock::now() - began).count();
  if (status.ok()) return true;
  return Check(ExitCode::kStoreFailed, "opening " + options_.binding + " in " + store_options.path +
                                           " failed: " + status.ToString());
}

bool YcsbRun::Save(bool is_complete) {
  RecordsFile file = file_;
  file.is_complete = is_complete;
  if (!is_complete) file.count = 0;
  return Check(ExitCode::kStoreFailed, SaveRecordsFile(options_.store.path, file, ledger_.get()));
}

// Each phase has its own state: the store is opened and closed, and generators and counts begin
// anew.
bool YcsbRun::RunOne(PhaseKind kind) {
  const bool is_load = kind == PhaseKind::kLoad;
  if (!(is_load ? PrepareLoad() : PrepareRun(kind))) return false;
  const bool knows_versions = file_.is_complete;
  const bool writes = Writes(kind, options_.workload);
  report_.knows_versions &= knows_versions;

  std::optional<ScanOrder> order;
  if (kind == PhaseKind::kRun && options_.workload.proportion(Operation::kScan) > 0) {
    order.emplace(keys_, file_.first, file_.count);
  }
  // The file is saved before the store is made, so that the remains of a failure are known as ours.
  if (is_load && !Save(false)) return false;
  std::unique_ptr<Store> store;
  double open_seconds = 0;
  if (!Open(kind, &store, &open_seconds)) return false;
  if (!header_is_printed_) {
    header_is_printed_ = true;
    if (options_.store.leveldb.use_pm) {
      report_.device = bench::DescribePoolDevice(options_.store.leveldb.pmem, options_.store.path);
      report_.medium = bench::DescribePoolMedium(options_.store.path);
    }
    Print(FormatHeader(report_));
  }
  if (!is_load && writes && !Save(false)) return false;

  AcknowledgedCounter counter(file_.first + file_.count);
  Phase phase{};
  phase.kind = kind;
  phase.options = &options_;
  phase.store = store.get();
  phase.records = Records{&keys_, &codec_, ledger_.get(), order.has_value() ? &*order : nullptr,
                          knows_versions};
  phase.counter = &counter;
  phase.failure = &failure_;
  PhaseResult result = RunPhase(phase);
  if (failure_.happened()) return false;
  result.open_seconds = open_seconds;
  result.figures = store->Metrics();
  if (options_.statistics) result.statistics = store->Statistics();
  Print(FormatPhase(result));
  report_.phases.push_back(std::move(result));
  store.reset();

  file_.count =
      is_load ? file_.count + options_.workload.insert_count : counter.limit() - file_.first;
  return !writes || !knows_versions || Save(true);
}

void YcsbRun::FinishReport() {
  if (options_.json.empty()) return;
  report_.peak_resident_bytes = bench::PeakResidentBytes();
  report_.peak_anonymous_bytes = anonymous_peak_.bytes();
  report_.failure = failure_.sentence();
  Check(ExitCode::kStoreFailed, bench::WriteReport(options_.json, FormatReport(report_)));
}

ExitCode YcsbRun::Run() {
  if (options_.json.empty() || Check(ExitCode::kBadUsage, bench::WriteReport(options_.json, ""))) {
    bool good = true;
    if (options_.load) good = RunOne(PhaseKind::kLoad);
    if (good && options_.run) good = RunOne(PhaseKind::kRun);
    if (good && options_.check) RunOne(PhaseKind::kCheck);
    FinishReport();
  }
  if (failure_.happened()) std::fprintf(stderr, "ycsbc: %s.\n", failure_.sentence().c_str());
  return failure_.code();
}

}  // namespace leveldb::ycsbc
