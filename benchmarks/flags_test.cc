#include "benchmarks/flags.h"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "benchmarks/benchmark.h"

namespace leveldb::bench {
namespace {

class FlagsTest : public testing::Test {
 protected:
  // Sets a flag as --name=value on the command line does.
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

TEST_F(FlagsTest, EveryFlagOfTheTierArrives) {
  Set("write_batch", "23");
  Set("throughput", "1");
  Set("control_thread", "1");
  Set("pace", "1");
  Set("use_pm", "1");
  Set("pm_path", "/mnt/pmem");
  Set("pm_size", "8G");
  Set("pm_prefault", "1");
  Set("wal_persist_bytes", "512K");
  Set("value_separation_bytes", "0");
  Set("gc_ratio", "0.25");
  Set("dynamic_tree", "0");
  Set("flush_ssd", "0");
  Set("spill_start", "0.75");
  Set("spill_stop", "0.5");
  Set("bucket_nums", "24");
  const BenchOptions options = Parse();
  EXPECT_EQ(23, options.write_batch);
  EXPECT_TRUE(options.throughput);
  EXPECT_TRUE(options.control_thread);
  EXPECT_TRUE(options.pace);
  EXPECT_TRUE(options.tier.use_pm);
  EXPECT_EQ(24, options.tier.bucket_nums);
  const PmemOptions& pmem = options.tier.pmem;
  EXPECT_EQ("/mnt/pmem", pmem.path);
  EXPECT_EQ(uint64_t{8} << 30, pmem.size);
  EXPECT_TRUE(pmem.prefault);
  EXPECT_EQ(512u << 10, pmem.wal_persist_bytes);
  EXPECT_EQ(0u, pmem.value_separation_bytes);
  EXPECT_EQ(0.25, pmem.gc_ratio);
  EXPECT_FALSE(pmem.dynamic_tree);
  EXPECT_FALSE(pmem.spill);
  EXPECT_EQ(0.75, pmem.spill_start);
  EXPECT_EQ(0.5, pmem.spill_stop);
}

TEST_F(FlagsTest, FlagsOfATierThatIsOffAreTold) {
  Set("gc_ratio", "0.25");
  Set("pm_size", "64M");
  EXPECT_EQ((std::vector<std::string>{"pm_size", "gc_ratio"}), Parse().tier.idle_flags);
  Set("use_pm", "1");
  EXPECT_TRUE(Parse().tier.idle_flags.empty());
}

TEST_F(FlagsTest, TheTierIsOffAndHasTheDefaultsOfTheLibrary) {
  const TierOptions tier = Parse().tier;
  const PmemOptions library;
  EXPECT_FALSE(tier.use_pm);
  EXPECT_FALSE(tier.pmem.path.empty());
  EXPECT_EQ(library.size, tier.pmem.size);
  EXPECT_EQ(library.wal_persist_bytes, tier.pmem.wal_persist_bytes);
  EXPECT_EQ(library.value_separation_bytes, tier.pmem.value_separation_bytes);
  EXPECT_EQ(library.gc_ratio, tier.pmem.gc_ratio);
  EXPECT_EQ(library.dynamic_tree, tier.pmem.dynamic_tree);
  EXPECT_EQ(library.spill, tier.pmem.spill);
  EXPECT_EQ(library.spill_start, tier.pmem.spill_start);
  EXPECT_EQ(library.spill_stop, tier.pmem.spill_stop);
}

TEST_F(FlagsTest, MistakesBecomeSentences) {
  BenchOptions options;
  Set("compression", "lz4");
  EXPECT_NE(std::string::npos, OptionsFromFlags(&options).find("\"lz4\""));
  Set("compression", "1");
  Set("num", "0");
  EXPECT_NE(std::string::npos, OptionsFromFlags(&options).find("--num"));
  Set("num", "1");
  for (const char* flag : {"pm_size", "wal_persist_bytes", "value_separation_bytes"}) {
    const gflags::FlagSaver restores_the_flag;
    Set(flag, "8Q");
    const std::string mistake = OptionsFromFlags(&options);
    EXPECT_EQ("--" + std::string(flag) + " must be", mistake.substr(0, strlen(flag) + 10));
  }
}

TEST_F(FlagsTest, HelpTellsEveryFlagAndBenchmark) {
  const std::string help = FlagHelp();
  for (const char* flag : {"benchmarks",
                           "db",
                           "use_existing_db",
                           "num",
                           "reads",
                           "threads",
                           "value_size",
                           "key_prefix",
                           "compression_ratio",
                           "histogram",
                           "comparisons",
                           "write_buffer_size",
                           "max_file_size",
                           "block_size",
                           "cache_size",
                           "open_files",
                           "bloom_bits",
                           "compression",
                           "reuse_logs",
                           "seed",
                           "verify",
                           "report",
                           "use_pm",
                           "pm_path",
                           "pm_size",
                           "pm_prefault",
                           "wal_persist_bytes",
                           "value_separation_bytes",
                           "gc_ratio",
                           "dynamic_tree",
                           "flush_ssd",
                           "spill_start",
                           "spill_stop",
                           "throughput",
                           "write_batch",
                           "bucket_nums",
                           "control_thread",
                           "pace"}) {
    EXPECT_NE(std::string::npos, help.find("--" + std::string(flag) + " (")) << flag;
  }
  for (const Benchmark& benchmark : AllBenchmarks()) {
    EXPECT_NE(std::string::npos, help.find(std::string("  ") + benchmark.name + " "))
        << benchmark.name;
  }
}

}  // namespace
}  // namespace leveldb::bench
