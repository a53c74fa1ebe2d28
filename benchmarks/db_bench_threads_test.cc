// Runs the program with several threads on one database; under ThreadSanitizer, too.
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

}  // namespace
}  // namespace leveldb::bench
