// BenchOptions are the options of a run of db_bench, independent of any flag library.
#ifndef BUSHSTORE_BENCHMARKS_BENCH_OPTIONS_H_
#define BUSHSTORE_BENCHMARKS_BENCH_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/compression_name.h"
#include "benchmarks/tier_options.h"
#include "leveldb/options.h"

namespace leveldb::bench {

// The benchmarks of a run without --benchmarks, as in LevelDB.
inline constexpr char kDefaultBenchmarks[] =
    "fillseq,fillsync,fillrandom,overwrite,readrandom,readrandom,readseq,readreverse,compact,"
    "readrandom,readseq,readreverse,fill100K,crc32c,snappycomp,snappyuncomp,zstdcomp,zstduncomp";

struct BenchOptions {
  std::vector<std::string> benchmarks;
  int64_t num = 1'000'000;
  int64_t reads = -1;  // -1: as many as num
  int threads = 1;
  int value_size = 100;
  double compression_ratio = 0.5;
  bool histogram = false;
  bool throughput = false;
  bool control_thread = false;
  bool pace = false;
  int64_t write_buffer_size = Options().write_buffer_size;
  int64_t max_file_size = Options().max_file_size;
  int64_t block_size = Options().block_size;
  int64_t cache_size = -1;  // -1: the library's own cache
  int open_files = Options().max_open_files;
  int bloom_bits = -1;  // -1: no filter
  int key_prefix = 0;
  int write_batch = 1;  // entries of a batch, unless the benchmark has its own
  bool use_existing_db = false;
  bool reuse_logs = false;
  CompressionType compression = kSnappyCompression;
  bool comparisons = false;
  std::string db;
  uint64_t seed = 301;
  bool verify = true;
  std::string report;  // file name; empty: no report
  TierOptions tier;

  int64_t ReadCount() const { return reads < 0 ? num : reads; }
};

// Returns the parts of a comma-separated list without empty ones.
std::vector<std::string> SplitList(const std::string& list);

// Returns why these options cannot be run, as one sentence without a full stop; "" if they can.
std::string FindMistake(const BenchOptions& options);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_BENCH_OPTIONS_H_
