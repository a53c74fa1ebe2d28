#include "benchmarks/flags.h"

#include <gflags/gflags.h>

#include <cstdio>
#include <vector>

#include "benchmarks/benchmark.h"
#include "benchmarks/own_flags.h"
#include "leveldb/env.h"

DEFINE_string(benchmarks, leveldb::bench::kDefaultBenchmarks,
              "benchmarks to run, separated by commas, in this order");
DEFINE_string(db, "",
              "directory of the database; empty: dbbench in the test directory of the "
              "system. Without --use_existing_db a database in it is destroyed");
DEFINE_bool(
    use_existing_db, false,
    "use the database in --db as it is; benchmarks that begin with an empty one are skipped");
DEFINE_int64(num, 1'000'000, "key/value pairs to write; keys are numbers below this");
DEFINE_int64(reads, -1, "read operations; -1: as many as --num");
DEFINE_int32(threads, 1, "threads that run each benchmark at once, each with all its operations");
DEFINE_int32(value_size, 100, "bytes of each value");
DEFINE_int32(key_prefix, 0, "bytes of a common prefix before the 16 bytes of each key");
DEFINE_double(compression_ratio, 0.5, "compress values to about this share of their size");
DEFINE_bool(histogram, false, "time each operation, and print percentiles and a histogram");
DEFINE_bool(throughput, false,
            "print a line each second: operations, MB, and the longest time without either");
DEFINE_bool(control_thread, false,
            "run a thread that does nothing but watch the clock, and print its longest pause: no "
            "stall shorter than that is the store's fault");
DEFINE_bool(pace, false,
            "take the processor's own pace every half millisecond, and tell what an operation took "
            "while it was the best");
DEFINE_int32(
    write_batch, 1,
    "entries of each batch that a benchmark writes, unless it has a size of its own; 1: no "
    "batches, but Put and Delete");
DEFINE_bool(comparisons, false, "count key comparisons");
DEFINE_int64(write_buffer_size, 0, "bytes of the memtable; 0: the library's default");
DEFINE_int64(max_file_size, 0, "bytes of a table file; 0: the library's default");
DEFINE_int64(block_size, 0, "bytes of a table's blocks; 0: the library's default");
DEFINE_int64(cache_size, -1, "bytes of the block cache; -1: the library's default cache");
DEFINE_int32(open_files, 0, "most files open at once; 0: the library's default");
DEFINE_int32(bloom_bits, -1, "bits of the Bloom filter for each key; -1: no filter");
DEFINE_string(compression, "snappy", "of tables: none, snappy or zstd (or 0, 1, 2)");
DEFINE_bool(reuse_logs, false, "append to the log and the manifest of the last run when opening");
DEFINE_uint64(seed, 301, "what all random numbers follow from");
DEFINE_bool(verify, true, "check every value that is read, and that no written key is missing");
DEFINE_string(report, "", "write all figures as JSON to this file");
DEFINE_bool(use_pm, false, "give the database a tier on persistent memory");
DEFINE_string(pm_path, "",
              "where its pool is made: a directory, a file or a /dev/dax device; empty: what "
              "LEVELDB_PMEM_PATH says, otherwise /dev/shm. On tmpfs, persistence is emulated");
DEFINE_string(pm_size, "0",
              "bytes that the pool may take, also with K, M or G; 0: the library's default");
DEFINE_bool(pm_prefault, false, "touch all memory of the pool when it is made");
DEFINE_string(wal_persist_bytes, "0",
              "acknowledged writes that need not be persistent yet, in bytes, also with K, M or "
              "G; 0: none");
DEFINE_string(value_separation_bytes, "",
              "values from this size on are written once and only referred to later, also with K, "
              "M or G; empty: the library's default");
DEFINE_double(gc_ratio, leveldb::PmemOptions().gc_ratio,
              "share of garbage from which on room of large values is reclaimed");
DEFINE_bool(dynamic_tree, leveldb::PmemOptions().dynamic_tree,
            "size memtables, trees and merges by measured speeds");
DEFINE_bool(flush_ssd, leveldb::PmemOptions().spill, "let the tier overflow to table files");
DEFINE_double(spill_start, leveldb::PmemOptions().spill_start,
              "share of the pool in use at which that begins");
DEFINE_double(spill_stop, leveldb::PmemOptions().spill_stop, "share at which it ends");
DEFINE_int64(bucket_nums, 0, "taken for BushStore's scripts, and ignored: filters size themselves");

namespace leveldb::bench {

namespace {

std::string DefaultDirectory() {
  std::string directory;
  const Status status = Env::Default()->GetTestDirectory(&directory);
  return (status.ok() ? directory : "/tmp") + "/dbbench";
}

template <typename Field, typename Flag>
void SetUnlessZero(Field* field, Flag flag) {
  if (flag != 0) *field = static_cast<Field>(flag);
}

// Reads a flag that is a number of bytes; an empty one leaves *bytes unchanged.
std::string ReadSize(const char* flag, const std::string& text, uint64_t* bytes) {
  if (text.empty() || ParseSize(text, bytes)) return "";
  return std::string("--") + flag + " must be a number of bytes, or one with K, M or G, and is \"" +
         text + "\"";
}

// Returns the flags of the tier that have been given. (--throughput and --write_batch apply to
// every run, --bucket_nums has no effect.)
std::vector<std::string> TierFlagsGiven() {
  std::vector<std::string> given;
  for (const char* name :
       {"pm_path", "pm_size", "pm_prefault", "wal_persist_bytes", "value_separation_bytes",
        "gc_ratio", "dynamic_tree", "flush_ssd", "spill_start", "spill_stop"}) {
    if (!gflags::GetCommandLineFlagInfoOrDie(name).is_default) given.push_back(name);
  }
  return given;
}

std::string TierFromFlags(TierOptions* tier) {
  PmemOptions* const pmem = &tier->pmem;
  tier->use_pm = FLAGS_use_pm;
  tier->bucket_nums = FLAGS_bucket_nums;
  if (!tier->use_pm) tier->idle_flags = TierFlagsGiven();
  pmem->path = FLAGS_pm_path.empty() ? DefaultPoolPath() : FLAGS_pm_path;
  pmem->prefault = FLAGS_pm_prefault;
  pmem->gc_ratio = FLAGS_gc_ratio;
  pmem->dynamic_tree = FLAGS_dynamic_tree;
  pmem->spill = FLAGS_flush_ssd;
  pmem->spill_start = FLAGS_spill_start;
  pmem->spill_stop = FLAGS_spill_stop;
  pmem->convert = true;  // a run that names the tier accepts the conversion
  for (const std::string& mistake :
       {ReadSize("pm_size", FLAGS_pm_size, &pmem->size),
        ReadSize("wal_persist_bytes", FLAGS_wal_persist_bytes, &pmem->wal_persist_bytes),
        ReadSize("value_separation_bytes", FLAGS_value_separation_bytes,
                 &pmem->value_separation_bytes)}) {
    if (!mistake.empty()) return mistake;
  }
  return "";
}

}  // namespace

std::string OptionsFromFlags(BenchOptions* options) {
  *options = BenchOptions();
  options->benchmarks = SplitList(FLAGS_benchmarks);
  options->db = FLAGS_db.empty() ? DefaultDirectory() : FLAGS_db;
  options->use_existing_db = FLAGS_use_existing_db;
  options->num = FLAGS_num;
  options->reads = FLAGS_reads;
  options->threads = FLAGS_threads;
  options->value_size = FLAGS_value_size;
  options->key_prefix = FLAGS_key_prefix;
  options->compression_ratio = FLAGS_compression_ratio;
  options->histogram = FLAGS_histogram;
  options->throughput = FLAGS_throughput;
  options->control_thread = FLAGS_control_thread;
  options->pace = FLAGS_pace;
  options->write_batch = FLAGS_write_batch;
  options->comparisons = FLAGS_comparisons;
  SetUnlessZero(&options->write_buffer_size, FLAGS_write_buffer_size);
  SetUnlessZero(&options->max_file_size, FLAGS_max_file_size);
  SetUnlessZero(&options->block_size, FLAGS_block_size);
  options->cache_size = FLAGS_cache_size;
  SetUnlessZero(&options->open_files, FLAGS_open_files);
  options->bloom_bits = FLAGS_bloom_bits;
  options->reuse_logs = FLAGS_reuse_logs;
  options->seed = FLAGS_seed;
  options->verify = FLAGS_verify;
  options->report = FLAGS_report;
  if (!ParseCompression(FLAGS_compression, &options->compression)) {
    return "--compression must be none, snappy or zstd (or 0, 1, 2), and is \"" +
           FLAGS_compression + "\"";
  }
  const std::string mistake = TierFromFlags(&options->tier);
  return mistake.empty() ? FindMistake(*options) : mistake;
}

std::string FlagHelp() {
  std::string text =
      "db_bench measures a LevelDB-compatible store.\n"
      "\n"
      "usage: db_bench [--flag=value ...]\n"
      "\n"
      "Flags:\n";
  for (const gflags::CommandLineFlagInfo& flag : FlagsOf(__FILE__)) {
    text += "  --" + flag.name + " (" + flag.type + ")\n      " + flag.description +
            "\n      default: " + flag.default_value + "\n";
  }
  text += "\nBenchmarks (N is --num, R is --reads):\n";
  for (const Benchmark& benchmark : AllBenchmarks()) {
    char line[160];
    std::snprintf(line, sizeof(line), "  %-18s %s\n", benchmark.name, benchmark.summary);
    text += line;
  }
  return text +
         "\nExit code: 0, or 1 when it cannot run as asked, or 3 when the store gave wrong data.\n";
}

std::string ParseCommandLine(int argc, char** argv, BenchOptions* options) {
  gflags::SetVersionString("1.23");
  ReadFlags(&argc, &argv, &FlagHelp);
  if (argc > 1) return std::string("all arguments are --flags, and \"") + argv[1] + "\" is not one";
  return OptionsFromFlags(options);
}

}  // namespace leveldb::bench
