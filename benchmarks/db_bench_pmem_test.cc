// Runs the program with the tier: every benchmark succeeds on an emulated pool, a later run finds
// the data of an earlier one, and the report has the figures of the tier.
#include <gtest/gtest.h>

#include <string>

#include "benchmarks/benchmark.h"
#include "benchmarks/db_bench_harness.h"
#include "benchmarks/json_check.h"

namespace leveldb::bench {
namespace {

TEST_F(DbBenchPmemTest, EveryBenchmarkEndsWell) {
  std::string fills;
  std::string others;
  for (const Benchmark& benchmark : AllBenchmarks()) {
    (benchmark.fresh ? fills : others) += std::string(benchmark.name) + ",";
  }
  const std::string list = fills + "fillrandom," + others + "overwrite," + others;
  const Outcome outcome =
      Succeed(Tier("--bucket_nums=64 --benchmarks=" + list + " --report=" + report_ + kNum));
  for (const char* words : {"\nPool:       ", "\nDevice:     ", "\nPersistent: ",
                            "survive a kill of the process", "\nNOTE: --bucket_nums is ignored"}) {
    EXPECT_NE(std::string::npos, outcome.output.find(words)) << words;
  }
  const std::string report = ReadFile(report_);
  EXPECT_TRUE(IsJson(report)) << report;
  for (const char* member : {"pool-bytes", "user-bytes", "pm-bytes-per-user-byte", "dram-bytes",
                             "trees-at-level0", "fences", "device", "medium", "open_seconds"}) {
    EXPECT_NE(std::string::npos, report.find('"' + std::string(member) + "\": ")) << member;
  }
}

TEST_F(DbBenchPmemTest, DefaultListEndsWell) {
  Succeed(Tier(kNum));
}

TEST_F(DbBenchPmemTest, ALaterRunFindsEverything) {
  Succeed(Tier("--benchmarks=fillrandom,deleterandom,overwrite --write_buffer_size=65536" +
               std::string(kNum)));
  const std::string reads =
      "--use_existing_db --benchmarks=readrandom,readseq,readreverse,compact,"
      "seekrandom,readmissing,overwrite,readrandom" +
      std::string(kNum);
  Succeed(Tier(reads));
  Succeed(reads);  // by the database's own record of its pool
}

TEST_F(DbBenchPmemTest, OptionsOfAllKinds) {
  const std::string list =
      " --benchmarks=fillrandom,overwrite,readrandom,readmissing,readseq,readreverse,seekrandom,"
      "compact,readrandom,deleteseq,readseq";
  for (const char* flags :
       {"--pm_size=8M --value_size=5000 --compression_ratio=1 --write_buffer_size=262144",
        "--pm_prefault", "--wal_persist_bytes=16K", "--value_separation_bytes=0",
        "--value_separation_bytes=1G", "--gc_ratio=0.1 --value_size=1000", "--dynamic_tree=0",
        "--flush_ssd=0",
        "--spill_start=0.5 --spill_stop=0.1 --pm_size=8M --value_size=4000 "
        "--write_buffer_size=262144",
        "--write_batch=100", "--write_buffer_size=65536", "--comparisons", "--bloom_bits=10",
        "--threads=2"}) {
    Succeed(Tier(std::string(flags) + list + kNum));
  }
}

TEST_F(DbBenchPmemTest, StatsHaveTheTierWithIt) {
  const Outcome outcome = Succeed(Tier("--benchmarks=fillseq,stats" + std::string(kNum)));
  const size_t stats = outcome.output.find("Compactions\n");
  ASSERT_NE(std::string::npos, stats) << outcome.output;
  EXPECT_NE(std::string::npos, outcome.output.find("ool", stats)) << outcome.output;
}

}  // namespace
}  // namespace leveldb::bench
