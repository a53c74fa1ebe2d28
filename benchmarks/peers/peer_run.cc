#include "benchmarks/peers/peer_run.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "benchmarks/key_codec.h"
#include "benchmarks/peers/medium_use.h"
#include "benchmarks/report_parts.h"
#include "benchmarks/seed_of.h"
#include "benchmarks/tier_database.h"
#include "benchmarks/verifier.h"
#include "ycsbc/bindings.h"

namespace leveldb::peers {

namespace {

constexpr double kCompressionRatio = 0.5;  // db_bench's default

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

uint64_t CountPresent(const bench::KeyLedger& ledger) {
  uint64_t count = 0;
  for (uint64_t key = 0; key < ledger.keys(); ++key) {
    if (ledger.Get(key) != bench::KeyLedger::kAbsent) ++count;
  }
  return count;
}

double MetricOf(const bench::TierMetrics& figures, const char* wanted) {
  for (const auto& [name, value] : figures) {
    if (name == wanted) return value;
  }
  return 0;
}

std::chrono::steady_clock::time_point DeadlineIn(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(seconds));
}

bench::BenchResult FiguresOf(const PeerWorkload& workload, const bench::ThreadStats& stats) {
  bench::BenchResult figures;
  figures.name = workload.name;
  figures.operations = stats.operations();
  figures.bytes = stats.bytes();
  figures.busy_seconds = stats.busy_seconds();
  figures.elapsed_seconds = stats.elapsed_seconds();
  if (stats.found() > 0) figures.found = stats.found();
  figures.latency = *stats.histogram();
  return figures;
}

}  // namespace

PeerRun::PeerRun(const PeerOptions& options)
    : PeerRun(options, [options](const ycsbc::StoreOptions& store_options,
                                 std::unique_ptr<ycsbc::Store>* store) {
        std::error_code ignored;  // the store reports the error
        std::filesystem::create_directories(store_options.path, ignored);
        const Status status = ycsbc::RemoveStore(options.binding, store_options.path);
        if (!status.ok()) return status;
        std::filesystem::create_directories(store_options.path, ignored);
        return ycsbc::OpenStore(options.binding, store_options, store);
      }) {
  const ycsbc::Binding& binding = *ycsbc::FindBinding(options.binding);
  report_.library_version = binding.version();
  report_.library_file = bench::FileOfSymbol(binding.symbol);
}

PeerRun::PeerRun(const PeerOptions& options, OpenFunction open)
    : options_(options),
      open_(std::move(open)),
      pool_(bench::DensityFor(kCompressionRatio, options.value_size)),
      checker_(pool_.density()),
      ledger_(options.num, bench::KeyLedger::kAbsent) {
  report_.options = options;
  report_.machine = bench::DescribeMachine();
}

bool PeerRun::Check(const std::string& mistake) {
  if (mistake.empty()) return true;
  failure_.Report(bench::ExitCode::kCannotRun, mistake);
  return false;
}

// Checks the directory: a fill removes its contents, so it must hold no other files.
bool PeerRun::FindBadPlace() {
  std::error_code not_there;
  const std::filesystem::directory_iterator first(options_.store.path, not_there);
  if (!not_there && first != std::filesystem::directory_iterator()) {
    has_bad_usage_ = true;
    return !Check(options_.store.path + " is not empty; --path wants a new directory");
  }
  has_bad_usage_ = !options_.json.empty() && !Check(bench::WriteReport(options_.json, ""));
  return has_bad_usage_;
}

bool PeerRun::OpenEmpty() {
  Close();
  ledger_.Reset(bench::KeyLedger::kAbsent);
  written_before_ = WriteCallBytes();
  ycsbc::StoreOptions store_options = options_.store;
  store_options.create = true;
  const auto began = std::chrono::steady_clock::now();
  const Status status = open_(store_options, &store_);
  report_.open_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return status.ok() || Check("opening " + options_.binding + " in " + options_.store.path +
                              " failed: " + status.ToString());
}

// Closes the store and adds the bytes that it has written since it was opened, which are known only
// when it has been closed.
void PeerRun::Close() {
  if (store_ == nullptr) return;
  report_.tier = store_->Metrics();
  store_.reset();
  const std::optional<uint64_t> now = WriteCallBytes();
  if (!now.has_value() || !written_before_.has_value()) return;
  report_.written_bytes = report_.written_bytes.value_or(0) + *now - *written_before_ +
                          bench::PoolBytesWritten(report_.tier);
}

bool PeerRun::RunOne(const PeerWorkload& workload) {
  if (workload.fresh && !OpenEmpty()) return false;
  const std::optional<uint64_t> written_before = WrittenBytes(store_.get());
  const std::unique_ptr<ycsbc::StoreSession> session = store_->NewSession();
  const bench::Generation generation = workload.writes ? ledger_.NextGeneration() : 0;
  const bench::Verifier verifier(true, &ledger_, &checker_, generation, 0, &failure_);
  bench::ThreadStats stats(true);
  PeerPhase phase{&workload,
                  session.get(),
                  &pool_,
                  &verifier,
                  &failure_,
                  &stats,
                  generation,
                  options_.num,
                  options_.reads,
                  options_.seeks,
                  options_.value_size,
                  Random(bench::SeedOf(std::to_string(options_.seed) + '/' + workload.name))};
  stats.TimeOneIn(workload.timed_one_in);
  const bench::DeviceUse device_before = bench::LookAtDevices(options_.device_account);
  const double seconds = workload.writes ? options_.max_fill_seconds : options_.max_seconds;
  if (seconds > 0) phase.deadline = DeadlineIn(seconds);
  stats.Start();
  workload.run(&phase);
  stats.Stop();
  const bench::DeviceUse device = bench::LookAtDevices(options_.device_account) - device_before;
  ledger_.Enter(phase.written);
  if (failure_.happened()) return false;
  PeerResult result;
  result.figures = FiguresOf(workload, stats);
  result.latency_count = workload.latency_count;
  result.timed_one_in = workload.timed_one_in;
  result.device = device;
  if (workload.writes) {
    report_.user_bytes += stats.bytes();
    result.rest_seconds = WaitForRest(store_.get(), options_.rest_millis);
    const std::optional<uint64_t> written = WrittenBytes(store_.get());
    if (written.has_value() && written_before.has_value()) {
      result.written_bytes = *written - *written_before;
    }
    if (options_.settle) SyncFileSystem(options_.store.path);
    is_cut_ = stats.operations() < options_.num;
  }
  Print(FormatResult(result));
  report_.results.push_back(std::move(result));
  return true;
}

bool PeerRun::RunAll() {
  for (const PeerWorkload* workload : options_.workloads) {
    if (!RunOne(*workload)) return false;
    if (!is_cut_) continue;
    Print(std::string(workload->name) +
          " was ended by --max_fill_seconds, and the run with it: the data are not complete.\n");
    return true;
  }
  return true;
}

void PeerRun::FinishReport() {
  Close();
  report_.live_bytes = CountPresent(ledger_) * (bench::kKeyDigits + options_.value_size);
  report_.space_bytes =
      SpaceUsed(options_.store.path) + static_cast<uint64_t>(MetricOf(report_.tier, "pool-bytes"));
  report_.peak_resident_bytes = bench::PeakResidentBytes();
  report_.peak_anonymous_bytes = anonymous_peak_.bytes();
  report_.failure = failure_.sentence();
}

ycsbc::ExitCode PeerRun::Code() const {
  if (!failure_.happened()) return ycsbc::ExitCode::kSuccess;
  if (has_bad_usage_) return ycsbc::ExitCode::kBadUsage;
  return failure_.code() == bench::ExitCode::kWrongData ? ycsbc::ExitCode::kWrongData
                                                        : ycsbc::ExitCode::kStoreFailed;
}

ycsbc::ExitCode PeerRun::Run() {
  if (!FindBadPlace()) {
    if (OpenEmpty()) {
      if (options_.store.leveldb.use_pm) {
        report_.device =
            bench::DescribePoolDevice(options_.store.leveldb.pmem, options_.store.path);
        report_.medium = bench::DescribePoolMedium(options_.store.path);
      }
      Print(FormatHeader(report_));
      if (RunAll()) {
        FinishReport();
        Print(FormatUse(report_));
      }
    }
    report_.failure = failure_.sentence();
    if (!options_.json.empty()) Check(bench::WriteReport(options_.json, FormatReport(report_)));
  }
  if (failure_.happened()) {
    const char* const kind = failure_.code() == bench::ExitCode::kWrongData ? "wrong data: " : "";
    std::fprintf(stderr, "peer_bench: %s%s.\n", kind, failure_.sentence().c_str());
  }
  return Code();
}

}  // namespace leveldb::peers
