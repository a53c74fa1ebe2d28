#include "benchmarks/pairs/pair_options.h"

#include <gflags/gflags.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "benchmarks/key_codec.h"
#include "benchmarks/own_flags.h"
#include "benchmarks/tier_options.h"
#include "util/text.h"

DEFINE_string(workload, "fillrandom",
              "fillseq, fillrandom, readrandom, readmissing, readwhilewriting, readseq, "
              "readseq_values, readreverse, readreverse_values, seekonce, seekrandom or "
              "seekrandom_values");
DEFINE_uint64(num, 1000000, "keys");
DEFINE_uint64(operations, 0, "operations with each library, in whole turns; 0: twice num");
DEFINE_uint64(turn, 10000, "operations one after the other, before it is the other one's turn");
DEFINE_uint64(value_size, 1024, "bytes of a value");
DEFINE_uint64(seed, 301, "what all random numbers follow from");
DEFINE_int32(rest_seconds, 5, "seconds before reads, in which merges come to their end");
DEFINE_string(db, "/dev/shm", "directory in which the databases are made, and removed at the end");
DEFINE_string(pm_path, "", "directory for pools, each of them prefaulted; empty: no tier");
DEFINE_string(pm_size, "4G", "bytes of a pool, also with K, M or G");
DEFINE_uint64(write_buffer_size, 64 << 20, "bytes of a write buffer");
DEFINE_uint64(cache_size, 64 << 20, "bytes of the block cache");
DEFINE_int32(bloom_bits, 10, "bits of Bloom filter a key; 0: none");

namespace leveldb::bench {

namespace {

struct NamedWorkload {
  PairWorkload workload;
  const char* name;
};

// The workloads, in the order in which they are listed.
constexpr NamedWorkload kWorkloads[] = {{PairWorkload::kFillSeq, "fillseq"},
                                        {PairWorkload::kFillRandom, "fillrandom"},
                                        {PairWorkload::kReadRandom, "readrandom"},
                                        {PairWorkload::kReadMissing, "readmissing"},
                                        {PairWorkload::kReadWhileWriting, "readwhilewriting"},
                                        {PairWorkload::kReadSeq, "readseq"},
                                        {PairWorkload::kReadSeqValues, "readseq_values"},
                                        {PairWorkload::kReadReverse, "readreverse"},
                                        {PairWorkload::kReadReverseValues, "readreverse_values"},
                                        {PairWorkload::kSeekOnce, "seekonce"},
                                        {PairWorkload::kSeekRandom, "seekrandom"},
                                        {PairWorkload::kSeekRandomValues, "seekrandom_values"}};
constexpr uint64_t kValueSizeMax = uint64_t{1} << 30;
constexpr int kRestSecondsMax = 86'400;
constexpr uint64_t kTurnMax = 10'000'000;
constexpr uint64_t kOperationsMax = 1'000'000'000'000;

std::optional<PairWorkload> FindWorkload(const std::string& name) {
  for (const NamedWorkload& each : kWorkloads) {
    if (name == each.name) return each.workload;
  }
  return std::nullopt;
}

// Returns text such as "fillseq, fillrandom and readseq".
std::string AllNames() {
  std::string names;
  for (const NamedWorkload& each : kWorkloads) {
    if (!names.empty()) names += &each == std::end(kWorkloads) - 1 ? " and " : ", ";
    names += each.name;
  }
  return names;
}

std::string FindMistake() {
  if (FLAGS_num < 1 || FLAGS_num > kKeyNumberMax) return "--num is a number from 1 on";
  if (FLAGS_turn < 1 || FLAGS_turn > kTurnMax) return "--turn is a number from 1 to 10000000";
  if (FLAGS_operations > kOperationsMax) return "--operations is at most 1000000000000";
  if (FLAGS_value_size > kValueSizeMax) return "--value_size is at most 1 GiB";
  if (FLAGS_rest_seconds < 0 || FLAGS_rest_seconds > kRestSecondsMax) {
    return "--rest_seconds is a number from 0 to 86400";
  }
  if (FLAGS_bloom_bits < 0) return "--bloom_bits is not negative";
  if (FLAGS_db.empty()) return "--db is a directory";
  uint64_t pool_bytes;
  if (!ParseSize(FLAGS_pm_size, &pool_bytes)) {
    return "--pm_size is a number of bytes, also with K, M or G";
  }
  return "";
}

std::string HelpText() {
  std::string text =
      "pair_bench: what one library takes of another one's time, in one process and in turns\n"
      "\n"
      "usage: pair_bench [--flag=value ...] LIBRARY LIBRARY\n"
      "\n";
  for (const gflags::CommandLineFlagInfo& flag : FlagsOf(__FILE__)) {
    text += "  --" + flag.name + "\n      " + flag.description +
            "; default: " + (flag.default_value.empty() ? "empty" : flag.default_value) + "\n";
  }
  return text +
         "\nExit code: 0; 1 for a flag that is not there, and for a library, directory or store "
         "that\n"
         "fails; 2 for a mistake in the command line; 130 after Ctrl-C.\n";
}

}  // namespace

const char* NameOf(PairWorkload workload) {
  for (const NamedWorkload& each : kWorkloads) {
    if (workload == each.workload) return each.name;
  }
  return "";
}

std::string ParsePairCommandLine(int argc, char** argv, PairOptions* options) {
  ReadFlags(&argc, &argv, &HelpText);
  if (argc != 3) return "two libraries are to be compared, each a file; --help tells more";
  options->libraries = {argv[1], argv[2]};
  std::error_code ignored;
  if (std::filesystem::equivalent(argv[1], argv[2], ignored)) {
    return Escaped(argv[1]) + " and " + Escaped(argv[2]) +
           " are one file, which can be loaded only once; compare it with a copy of it";
  }
  const std::optional<PairWorkload> workload = FindWorkload(FLAGS_workload);
  if (!workload.has_value()) {
    return "there is no workload \"" + Escaped(FLAGS_workload) + "\"; there are " + AllNames();
  }
  options->workload = *workload;
  options->num = FLAGS_num;
  options->operations = FLAGS_operations != 0 ? FLAGS_operations : 2 * FLAGS_num;
  options->turn = FLAGS_turn;
  options->value_size = FLAGS_value_size;
  options->seed = FLAGS_seed;
  options->rest_seconds = FLAGS_rest_seconds;
  options->db = FLAGS_db;
  options->pm_path = FLAGS_pm_path;
  options->pm_size = FLAGS_pm_size;
  options->settings = {FLAGS_write_buffer_size, FLAGS_cache_size, FLAGS_bloom_bits};
  return FindMistake();
}

}  // namespace leveldb::bench
