// Runs the program with several threads on one database, also under ThreadSanitizer.
#include <gtest/gtest.h>

#include <string>

#include "benchmarks/db_bench_harness.h"

namespace leveldb::bench {
namespace {

using DbBenchThreadsTest = DbBenchTest;

TEST_F(DbBenchThreadsTest, ManyThreadsAreVerifiedToo) {
  Succeed(
      "--threads=4 --benchmarks=fillrandom,readrandom,overwrite,readwhilewriting,readrandom,"
      "deleterandom,readseq,readrandom,seekrandom,readreverse,readmissing,seekordered" +
      std::string(kNum));
}

TEST_F(DbBenchThreadsTest, WritesBesideReadsWithManyFlushes) {
  Succeed(
      "--threads=2 --write_buffer_size=65536 --max_file_size=65536 --reads=20000 "
      "--benchmarks=fillseq,overwrite,readwhilewriting,readseq" +
      std::string(kNum));
}

TEST_F(DbBenchPmemTest, ManyThreadsAreVerifiedToo) {
  const std::string list =
      "--threads=4 --value_size=300 --write_buffer_size=65536 --max_file_size=65536 "
      "--benchmarks=fillrandom,readrandom,overwrite,readwhilewriting,readrandom,deleterandom,"
      "readseq,readrandom,seekrandom,readreverse,readmissing,seekordered,overwrite,readseq";
  for (const char* flags : {" --pm_size=64M", " --pm_size=8M", " --wal_persist_bytes=16K",
                            " --value_separation_bytes=1K --gc_ratio=0.1 --throughput"}) {
    Succeed(Tier(list + flags + kNum));
  }
}

}  // namespace
}  // namespace leveldb::bench
