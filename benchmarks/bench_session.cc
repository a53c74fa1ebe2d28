#include "benchmarks/bench_session.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "benchmarks/bench_thread.h"
#include "benchmarks/console.h"
#include "benchmarks/machine.h"
#include "benchmarks/runner.h"
#include "benchmarks/tier_database.h"

namespace leveldb::bench {

namespace {

void Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// Returns the ledger of the run. Without verification nothing is tracked. The keys of an existing
// database are unknown until its ledger has been loaded.
KeyLedger MakeLedger(const BenchOptions& options) {
  if (!options.verify) return KeyLedger(0, KeyLedger::kUnknown);
  return KeyLedger(static_cast<uint64_t>(options.num),
                   options.use_existing_db ? KeyLedger::kUnknown : KeyLedger::kAbsent);
}

int ValueSize(const BenchOptions& options, const Benchmark& benchmark) {
  return benchmark.value_size > 0 ? benchmark.value_size : options.value_size;
}

int64_t BlockSize(const BenchOptions& options, const Benchmark& benchmark) {
  return benchmark.block_size > 0 ? benchmark.block_size : options.block_size;
}

int64_t EntriesABatch(const BenchOptions& options, const Benchmark& benchmark) {
  return benchmark.entries_a_batch > 0 ? benchmark.entries_a_batch : options.write_batch;
}

int64_t Operations(const BenchOptions& options, const Benchmark& benchmark) {
  int64_t operations = benchmark.counts_reads ? options.ReadCount() : options.num;
  if (benchmark.num_divisor > 1) {
    operations = std::max(operations / benchmark.num_divisor, int64_t{1});
  }
  if (benchmark.input_max > 0) {
    operations = std::min(operations, benchmark.input_max / BlockSize(options, benchmark));
  }
  return operations;
}

}  // namespace

BenchSession::BenchSession(const BenchOptions& options)
    : options_(options),
      database_(options_),
      ledger_(MakeLedger(options)),
      checker_(DensityFor(options.compression_ratio, static_cast<size_t>(options.value_size))) {
  report_.options = options;
  report_.machine = DescribeMachine();
}

std::string BenchSession::LedgerPath() const {
  return options_.db + "/" + kLedgerFileName;
}

bool BenchSession::Check(const char* what, const Status& status) {
  return status.ok() ||
         Check(std::string(what) + " " + options_.db + " failed: " + status.ToString());
}

bool BenchSession::Check(const std::string& mistake) {
  if (mistake.empty()) return true;
  failure_.Report(ExitCode::kCannotRun, mistake);
  return false;
}

bool BenchSession::Open() {
  if (options_.use_existing_db) {
    return Check(ledger_.Load(LedgerPath(), static_cast<uint64_t>(options_.key_prefix))) &&
           Check("opening", database_.Open());
  }
  std::error_code ignored;  // a missing ledger is as good as a removed one
  std::filesystem::remove(LedgerPath(), ignored);
  return Check("making", database_.OpenEmpty());
}

// Prepares the database of a benchmark. The ledger's file is removed before the first write, so
// that a killed run leaves none.
bool BenchSession::MakeReady(const Benchmark& benchmark) {
  if (!benchmark.writes) return true;
  if (!has_written_) {
    std::error_code error;
    std::filesystem::remove(LedgerPath(), error);
    if (error) return Check("cannot remove " + LedgerPath() + ": " + error.message());
    has_written_ = true;
  }
  if (!benchmark.fresh) return true;
  if (options_.verify) ledger_.Reset(KeyLedger::kAbsent);
  return Check("making", database_.OpenEmpty());
}

bool BenchSession::RunOne(const Benchmark& benchmark) {
  if (benchmark.fresh && options_.use_existing_db) {
    Print(FormatSkipped(benchmark.name));
    return true;
  }
  if (!MakeReady(benchmark)) return false;

  Phase phase{};
  const int value_size = ValueSize(options_, benchmark);
  const ValuePool pool(DensityFor(options_.compression_ratio, static_cast<size_t>(value_size)));
  phase.benchmark = &benchmark;
  phase.options = &options_;
  phase.database = &database_;
  phase.ledger = &ledger_;
  phase.pool = &pool;
  phase.failure = &failure_;
  phase.repetition = repetitions_[benchmark.name]++;
  phase.operations = Operations(options_, benchmark);
  phase.entries_a_batch = EntriesABatch(options_, benchmark);
  phase.value_size = value_size;
  phase.block_size = BlockSize(options_, benchmark);
  phase.generation = benchmark.writes ? ledger_.NextGeneration() : Generation{0};
  const Verifier verifier(options_.verify, &ledger_, &checker_, phase.generation,
                          static_cast<size_t>(options_.key_prefix), &failure_);
  phase.verifier = &verifier;

  BenchResult result = RunPhase(&phase);
  if (failure_.happened()) return false;
  if (options_.comparisons) result.comparisons = database_.TakeComparisons();
  result.tier = ReadTierMetrics(database_.db());
  Print(FormatResult(result));
  report_.results.push_back(result);
  return true;
}

bool BenchSession::SaveLedger() {
  if (!options_.verify || !has_written_) return true;
  return Check(ledger_.Save(LedgerPath(), static_cast<uint64_t>(options_.key_prefix)));
}

void BenchSession::FinishReport() {
  if (options_.report.empty()) return;
  report_.peak_resident_bytes = PeakResidentBytes();
  report_.peak_anonymous_bytes = anonymous_peak_.bytes();
  report_.failure = failure_.sentence();
  Check(WriteReport(options_.report, FormatReport(report_)));
}

ExitCode BenchSession::Run() {
  if (options_.report.empty() || Check(WriteReport(options_.report, ""))) {
    bool good = Open();
    report_.open_seconds = database_.open_seconds();
    if (options_.tier.use_pm) {
      report_.device = DescribePoolDevice(options_.tier.pmem, options_.db);
      report_.medium = DescribePoolMedium(options_.db);
    }
    Print(FormatHeader(options_, report_.machine, report_.device, report_.medium));
    for (size_t i = 0; good && i < options_.benchmarks.size(); ++i) {
      good = RunOne(*FindBenchmark(options_.benchmarks[i]));
    }
    database_.Close();
    if (good) SaveLedger();
    FinishReport();
  }
  if (failure_.happened()) {
    std::fprintf(stderr, "db_bench: %s.\n", failure_.sentence().c_str());
  }
  return failure_.code();
}

}  // namespace leveldb::bench
