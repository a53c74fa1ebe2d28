#include "benchmarks/flags.h"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <string>

#include "benchmarks/benchmark.h"

namespace leveldb::bench {
namespace {

class FlagsTest : public testing::Test {
 protected:
  // As --name=value on the command line.
  static void Set(const char* name, const char* value) {
    ASSERT_NE("", gflags::SetCommandLineOption(name, value)) << name << "=" << value;
  }

  BenchOptions Parse() {
    BenchOptions options;
    EXPECT_EQ("", OptionsFromFlags(&options));
    return options;
  }

  const gflags::FlagSaver saver_;
};

TEST_F(FlagsTest, DefaultsAreThoseOfTheLibrary) {
  const BenchOptions options = Parse();
  EXPECT_EQ(1'000'000, options.num);
  EXPECT_EQ(1'000'000, options.ReadCount());
  EXPECT_EQ(100, options.value_size);
  EXPECT_EQ(1, options.threads);
  EXPECT_EQ(static_cast<int64_t>(Options().write_buffer_size), options.write_buffer_size);
  EXPECT_EQ(static_cast<int64_t>(Options().block_size), options.block_size);
  EXPECT_EQ(Options().max_open_files, options.open_files);
  EXPECT_EQ(-1, options.cache_size);
  EXPECT_EQ(-1, options.bloom_bits);
  EXPECT_EQ(kSnappyCompression, options.compression);
  EXPECT_TRUE(options.verify);
  EXPECT_NE(std::string::npos, options.db.find("/dbbench"));
  EXPECT_EQ("fillseq", options.benchmarks.front());
}

TEST_F(FlagsTest, EveryFlagArrives) {
  Set("benchmarks", "readrandom,stats");
  Set("db", "/x/y");
  Set("use_existing_db", "1");
  Set("num", "11");
  Set("reads", "12");
  Set("threads", "13");
  Set("value_size", "14");
  Set("key_prefix", "15");
  Set("compression_ratio", "0.25");
  Set("histogram", "1");
  Set("comparisons", "1");
  Set("write_buffer_size", "16");
  Set("max_file_size", "17");
  Set("block_size", "18");
  Set("cache_size", "19");
  Set("open_files", "20");
  Set("bloom_bits", "21");
  Set("compression", "zstd");
  Set("reuse_logs", "1");
  Set("seed", "22");
  Set("verify", "0");
  Set("report", "r.json");
  const BenchOptions options = Parse();
  EXPECT_EQ(2u, options.benchmarks.size());
  EXPECT_EQ("/x/y", options.db);
  EXPECT_TRUE(options.use_existing_db);
  EXPECT_EQ(11, options.num);
  EXPECT_EQ(12, options.reads);
  EXPECT_EQ(13, options.threads);
  EXPECT_EQ(14, options.value_size);
  EXPECT_EQ(15, options.key_prefix);
  EXPECT_EQ(0.25, options.compression_ratio);
  EXPECT_TRUE(options.histogram);
  EXPECT_TRUE(options.comparisons);
  EXPECT_EQ(16, options.write_buffer_size);
  EXPECT_EQ(17, options.max_file_size);
  EXPECT_EQ(18, options.block_size);
  EXPECT_EQ(19, options.cache_size);
  EXPECT_EQ(20, options.open_files);
  EXPECT_EQ(21, options.bloom_bits);
  EXPECT_EQ(kZstdCompression, options.compression);
  EXPECT_TRUE(options.reuse_logs);
  EXPECT_EQ(22u, options.seed);
  EXPECT_FALSE(options.verify);
  EXPECT_EQ("r.json", options.report);
}

TEST_F(FlagsTest, MistakesBecomeSentences) {
  BenchOptions options;
  Set("compression", "lz4");
  EXPECT_NE(std::string::npos, OptionsFromFlags(&options).find("\"lz4\""));
  Set("compression", "1");
  Set("num", "0");
  EXPECT_NE(std::string::npos, OptionsFromFlags(&options).find("--num"));
}

TEST_F(FlagsTest, HelpTellsEveryFlagAndBenchmark) {
  const std::string help = FlagHelp();
  for (const char* flag : {"benchmarks",    "db",          "use_existing_db",
                           "num",           "reads",       "threads",
                           "value_size",    "key_prefix",  "compression_ratio",
                           "histogram",     "comparisons", "write_buffer_size",
                           "max_file_size", "block_size",  "cache_size",
                           "open_files",    "bloom_bits",  "compression",
                           "reuse_logs",    "seed",        "verify",
                           "report"}) {
    EXPECT_NE(std::string::npos, help.find("--" + std::string(flag) + " (")) << flag;
  }
  for (const Benchmark& benchmark : AllBenchmarks()) {
    EXPECT_NE(std::string::npos, help.find(std::string("  ") + benchmark.name + " "))
        << benchmark.name;
  }
}

}  // namespace
}  // namespace leveldb::bench
