#include "benchmarks/bench_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "benchmarks/benchmark.h"

namespace leveldb::bench {
namespace {

BenchOptions GoodOptions() {
  BenchOptions options;
  options.benchmarks = SplitList(kDefaultBenchmarks);
  options.db = "/tmp/x";
  return options;
}

void ExpectMistake(const BenchOptions& options, const std::string& words) {
  EXPECT_NE(std::string::npos, FindMistake(options).find(words)) << FindMistake(options);
}

TEST(BenchOptionsTest, SplitsLists) {
  using List = std::vector<std::string>;
  EXPECT_EQ(List(), SplitList(""));
  EXPECT_EQ(List(), SplitList(",,"));
  EXPECT_EQ(List({"a"}), SplitList("a"));
  EXPECT_EQ(List({"a", "bc", "a"}), SplitList("a,bc,,a,"));
}

TEST(BenchOptionsTest, CompressionByNumberAndByName) {
  CompressionType type = kZstdCompression;
  EXPECT_TRUE(ParseCompression("0", &type));
  EXPECT_EQ(kNoCompression, type);
  EXPECT_TRUE(ParseCompression("snappy", &type));
  EXPECT_EQ(kSnappyCompression, type);
  EXPECT_TRUE(ParseCompression("2", &type));
  EXPECT_EQ(kZstdCompression, type);
  for (const char* text : {"", "3", "Snappy", "lz4", "01"}) {
    EXPECT_FALSE(ParseCompression(text, &type)) << text;
  }
}

TEST(BenchOptionsTest, TheDefaultsAreGood) {
  EXPECT_EQ("", FindMistake(GoodOptions()));
}

TEST(BenchOptionsTest, EveryPublishedBenchmarkIsKnown) {
  for (const std::string& name : SplitList(
           "fillseq,fillrandom,overwrite,fillsync,fill100K,fillbatch,deleteseq,deleterandom,"
           "readseq,readreverse,readrandom,readmissing,readhot,readwhilewriting,seekrandom,"
           "readrandomsmall,seekordered,open,compact,crc32c,acquireload,snappycomp,snappyuncomp,"
           "zstdcomp,zstduncomp,stats,sstables,heapprofile")) {
    EXPECT_NE(nullptr, FindBenchmark(name)) << name;
  }
}

TEST(BenchOptionsTest, ReadsFollowNumUnlessGiven) {
  BenchOptions options = GoodOptions();
  options.num = 77;
  EXPECT_EQ(77, options.ReadCount());
  options.reads = 5;
  EXPECT_EQ(5, options.ReadCount());
}

TEST(BenchOptionsTest, UnknownBenchmark) {
  BenchOptions options = GoodOptions();
  options.benchmarks = {"fillseq", "fillfast"};
  ExpectMistake(options, "there is no benchmark \"fillfast\"");
  options.benchmarks.clear();
  ExpectMistake(options, "names nothing to run");
}

TEST(BenchOptionsTest, NumbersOutOfRange) {
  const struct {
    const char* words;
    void (*spoil)(BenchOptions* options);
  } cases[] = {
      {"--num must be from 1", [](BenchOptions* o) { o->num = 0; }},
      {"--num must be from 1", [](BenchOptions* o) { o->num = 20'000'000'000'000'000; }},
      {"add --verify=0", [](BenchOptions* o) { o->num = 5'000'000'000; }},
      {"--reads must be from -1", [](BenchOptions* o) { o->reads = -2; }},
      {"--threads must be from 1", [](BenchOptions* o) { o->threads = 0; }},
      {"--value_size must be from 0", [](BenchOptions* o) { o->value_size = -1; }},
      {"--key_prefix must be from 0", [](BenchOptions* o) { o->key_prefix = -1; }},
      {"--compression_ratio", [](BenchOptions* o) { o->compression_ratio = 1.5; }},
      {"--write_buffer_size must not be", [](BenchOptions* o) { o->write_buffer_size = -1; }},
      {"--max_file_size must not be", [](BenchOptions* o) { o->max_file_size = -1; }},
      {"--block_size must be from 1", [](BenchOptions* o) { o->block_size = -1; }},
      {"--open_files must not be", [](BenchOptions* o) { o->open_files = -1; }},
      {"--write_batch must be from 1", [](BenchOptions* o) { o->write_batch = 0; }},
      {"--pm_size must be at least 8M", [](BenchOptions* o) { o->tier.pmem.size = 1000; }},
      {"--db names no directory", [](BenchOptions* o) { o->db = ""; }},
  };
  for (const auto& bad : cases) {
    BenchOptions options = GoodOptions();
    bad.spoil(&options);
    ExpectMistake(options, bad.words);
  }
}

TEST(BenchOptionsTest, ManyKeysWithoutVerification) {
  BenchOptions options = GoodOptions();
  options.num = 5'000'000'000;
  options.verify = false;
  EXPECT_EQ("", FindMistake(options));
}

TEST(BenchOptionsTest, AnExistingDatabaseAndOnlyFillsMakesNoSense) {
  BenchOptions options = GoodOptions();
  options.use_existing_db = true;
  EXPECT_EQ("", FindMistake(options));
  options.benchmarks = {"fillseq", "fillrandom"};
  ExpectMistake(options, "--use_existing_db");
}

TEST(BenchOptionsTest, AnExistingDatabaseAndAnUnknownBenchmark) {
  BenchOptions options = GoodOptions();
  options.use_existing_db = true;
  options.benchmarks = {"fillseq", "fillfast"};
  ExpectMistake(options, "there is no benchmark \"fillfast\"");
}

}  // namespace
}  // namespace leveldb::bench
