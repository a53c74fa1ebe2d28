#include "benchmarks/bench_options.h"

#include <algorithm>

#include "benchmarks/benchmark.h"
#include "benchmarks/key_codec.h"

namespace leveldb::bench {

namespace {

constexpr int kThreadsMax = 1024;
constexpr int kKeyPrefixMax = 64 << 10;
constexpr int kValueSizeMax = 1 << 30;
constexpr int kWriteBatchMax = 1'000'000;
constexpr int64_t kVerifiedKeysMax = 2'000'000'000;
constexpr int64_t kBlockSizeMax = int64_t{1} << 30;

template <typename T>
std::string OutOfRange(const char* flag, T value, T least, T most) {
  if (value >= least && value <= most) return "";
  return std::string("--") + flag + " must be from " + std::to_string(least) + " to " +
         std::to_string(most) + ", and is " + std::to_string(value);
}

std::string Negative(const char* flag, int64_t value) {
  if (value >= 0) return "";
  return std::string("--") + flag + " must not be negative, and is " + std::to_string(value);
}

std::string FindUnverifiableCount(const BenchOptions& options) {
  if (!options.verify || options.num <= kVerifiedKeysMax) return "";
  return "--num above " + std::to_string(kVerifiedKeysMax) +
         " cannot be verified (it takes a byte of memory for each key); add --verify=0";
}

std::string FindBadBenchmark(const BenchOptions& options) {
  if (options.benchmarks.empty()) return "--benchmarks names nothing to run";
  for (const std::string& name : options.benchmarks) {
    if (FindBenchmark(name) == nullptr) {
      return "there is no benchmark \"" + name + "\"; --help lists them";
    }
  }
  return "";
}

std::string FindBadRatio(const BenchOptions& options) {
  if (options.compression_ratio >= 0 && options.compression_ratio <= 1) return "";
  return "--compression_ratio must be from 0 to 1, and is " +
         std::to_string(options.compression_ratio);
}

std::string FindNoDirectory(const BenchOptions& options) {
  return options.db.empty() ? "--db names no directory" : "";
}

// Returns why --use_existing_db has no use with these benchmarks, or "". Unknown names are ignored:
// FindBadBenchmark() reports them.
std::string FindUselessReuse(const BenchOptions& options) {
  if (!options.use_existing_db) return "";
  for (const std::string& name : options.benchmarks) {
    const Benchmark* const benchmark = FindBenchmark(name);
    if (benchmark == nullptr || !benchmark->fresh) return "";
  }
  return "with --use_existing_db nothing is left to run: every benchmark in the list begins with "
         "an empty database";
}

}  // namespace

std::vector<std::string> SplitList(const std::string& list) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= list.size()) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string FindMistake(const BenchOptions& options) {
  const int64_t key_count_max = static_cast<int64_t>(kKeyNumberMax) + 1;
  for (const std::string& mistake :
       {FindBadBenchmark(options), OutOfRange("num", options.num, int64_t{1}, key_count_max),
        OutOfRange("reads", options.reads, int64_t{-1}, key_count_max),
        OutOfRange("threads", options.threads, 1, kThreadsMax),
        OutOfRange("value_size", options.value_size, 0, kValueSizeMax),
        OutOfRange("key_prefix", options.key_prefix, 0, kKeyPrefixMax),
        OutOfRange("write_batch", options.write_batch, 1, kWriteBatchMax), FindBadRatio(options),
        Negative("write_buffer_size", options.write_buffer_size),
        Negative("max_file_size", options.max_file_size),
        OutOfRange("block_size", options.block_size, int64_t{1}, kBlockSizeMax),
        Negative("open_files", options.open_files), FindUnverifiableCount(options),
        FindTierMistake(options.tier.pmem), FindNoDirectory(options), FindUselessReuse(options)}) {
    if (!mistake.empty()) return mistake;
  }
  return "";
}

}  // namespace leveldb::bench
