// Fuzzes the flags of db_bench. Every value is accepted, or refused with a sentence; what is
// accepted is within the bounds that the rest of the program relies on.
//
// Input: lines of name=value.
#include <gflags/gflags.h>

#include <string>

#include "benchmarks/bench_options.h"
#include "benchmarks/benchmark.h"
#include "benchmarks/flags.h"
#include "testing/fuzz/fuzz_input.h"

namespace leveldb {
namespace fuzz {
namespace {

// gflags ends the process if it does not accept a command line, so flags are set one by one. Its
// own flags, which read files or do something, are left out.
bool IsOurs(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  return gflags::GetCommandLineFlagInfo(name.c_str(), &info) &&
         info.filename.find("benchmarks/flags.cc") != std::string::npos;
}

void SetFlags(const std::string& lines) {
  size_t begin = 0;
  while (begin < lines.size()) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = lines.substr(begin, end - begin);
    begin = end + 1;
    const size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    // Returns "" for a value of the wrong type, as it should.
    if (IsOurs(name)) gflags::SetCommandLineOption(name.c_str(), line.c_str() + equals + 1);
  }
}

void CheckOptions(const bench::BenchOptions& options) {
  Require(!options.benchmarks.empty(), "there is something to run");
  for (const std::string& name : options.benchmarks) {
    Require(bench::FindBenchmark(name) != nullptr, "every benchmark is known");
  }
  Require(options.num >= 1 && options.ReadCount() >= 0, "counts are counts");
  Require(options.threads >= 1 && options.write_batch >= 1, "there are threads and batches");
  Require(options.value_size >= 0 && options.key_prefix >= 0, "sizes are sizes");
  Require(options.compression_ratio >= 0 && options.compression_ratio <= 1, "shares are shares");
  Require(options.write_buffer_size >= 0 && options.block_size >= 1, "buffers have sizes");
  const PmemOptions& pmem = options.tier.pmem;
  Require(pmem.spill_stop <= pmem.spill_start && pmem.gc_ratio > 0, "the tier can work");
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace leveldb;
  const gflags::FlagSaver saver;
  fuzz::SetFlags(fuzz::FuzzInput(data, size).Rest().ToString());
  bench::BenchOptions options;
  if (bench::OptionsFromFlags(&options).empty()) fuzz::CheckOptions(options);
  return 0;
}
