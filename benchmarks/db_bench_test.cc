// Runs the program itself: every benchmark succeeds, with all kinds of options, and wrong arguments
// are reported.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "benchmarks/benchmark.h"
#include "benchmarks/db_bench_harness.h"
#include "benchmarks/json_check.h"
#include "leveldb/db.h"

namespace leveldb::bench {
namespace {

TEST_F(DbBenchTest, EveryBenchmarkEndsWell) {
  std::string fills;
  std::string others;
  for (const Benchmark& benchmark : AllBenchmarks()) {
    (benchmark.fresh ? fills : others) += std::string(benchmark.name) + ",";
  }
  const std::string list = fills + "fillrandom," + others + "overwrite," + others;
  const Outcome outcome = Succeed("--benchmarks=" + list + " --report=" + report_ + kNum);

  EXPECT_EQ(std::string::npos, outcome.output.find('\r')) << "a progress line in a pipe";
  EXPECT_NE(std::string::npos, outcome.output.find("\nfillrandom   : "));
  EXPECT_NE(std::string::npos, outcome.output.find(" micros/op; "));
  const std::string report = ReadFile(report_);
  EXPECT_TRUE(IsJson(report)) << report;
  for (const Benchmark& benchmark : AllBenchmarks()) {
    EXPECT_NE(std::string::npos, report.find("\"name\": \"" + std::string(benchmark.name) + '"'))
        << benchmark.name;
  }
}

// With 6 probes and 36 keys in 360 bits, 0.8 % of absent keys are not ruled out.
TEST_F(DbBenchTest, FiltersAreAsked) {
  const std::string list = "--benchmarks=bloomfilter --num=50000 --value_size=100";
  const Outcome outcome = Succeed(list + " --bloom_bits=10");
  EXPECT_NE(std::string::npos, outcome.output.find("of 50000 found) (36 keys a filter)"));
  const size_t found = outcome.output.find("op; (");
  ASSERT_NE(std::string::npos, found) << outcome.output;
  const int wrong = std::stoi(outcome.output.substr(found + 5));
  EXPECT_GT(wrong, 100);
  EXPECT_LT(wrong, 1000);
  EXPECT_NE(std::string::npos, Succeed(list).output.find("no filter"));
}

TEST_F(DbBenchTest, DefaultListEndsWell) {
  Succeed(kNum);
}

TEST_F(DbBenchTest, OptionsOfAllKinds) {
  const std::string list =
      " --benchmarks=fillrandom,overwrite,readrandom,readmissing,readseq,readreverse,seekrandom,"
      "compact,readrandom,deleteseq,readseq";
  for (const char* flags : {"--bloom_bits=10", "--compression=none", "--compression=1",
                            "--compression=zstd", "--cache_size=0", "--value_size=0",
                            "--value_size=1", "--value_size=20000 --compression_ratio=0.1",
                            "--key_prefix=20 --block_size=1024", "--comparisons=1 --histogram",
                            "--open_files=74", "--write_buffer_size=65536 --max_file_size=1000000",
                            "--reuse_logs=1", "--seed=7", "--reads=10", "--verify=0"}) {
    Succeed(flags + list + kNum);
  }
}

TEST_F(DbBenchTest, HistogramTellsTheTail) {
  const Outcome outcome = Succeed("--histogram=1 --benchmarks=fillseq" + std::string(kNum));
  for (const char* words :
       {"Microseconds per op:\n", "P50: ", "P95: ", "P99: ", "P99.9: ", "P99.99: ", "Max: "}) {
    EXPECT_NE(std::string::npos, outcome.output.find(words)) << words;
  }
}

TEST_F(DbBenchTest, ThroughputAndControlAreAskedFor) {
  const std::string flags = "--benchmarks=fillseq,waitforcompaction --report=" + report_;
  const Outcome plain = Succeed(flags + kNum);
  EXPECT_EQ(std::string::npos, plain.output.find("longest pause"));

  const Outcome outcome = Succeed("--throughput --control_thread " + flags + kNum);
  EXPECT_NE(std::string::npos, outcome.output.find("\nwaitforcompaction :    1.0 s "))
      << outcome.output;
  EXPECT_NE(std::string::npos, outcome.output.find("\nControl thread's longest pause: "));
  const std::string report = ReadFile(report_);
  EXPECT_TRUE(IsJson(report)) << report;
  EXPECT_NE(std::string::npos, report.find("\"throughput\": ["));
  EXPECT_NE(std::string::npos, report.find("\"control_pause_micros\": "));
}

TEST_F(DbBenchTest, BatchesAreAsLargeAsAsked) {
  const std::string list =
      " --benchmarks=fillseq,overwrite,deleteseq,readseq,fillbatch --histogram";
  const std::string output = Succeed("--write_batch=300" + list + kNum).output;
  // There is a latency for each batch, 2000 entries in all; fillbatch has its own size.
  EXPECT_NE(std::string::npos, output.find("Count: 7 ")) << output;
  EXPECT_NE(std::string::npos, output.find("Count: 2 ")) << output;
}

TEST_F(DbBenchTest, FillrandomWritesTheSameKeysInEveryRun) {
  const auto keys_of_run = [this](const std::string& flags) {
    Succeed("--benchmarks=fillrandom" + flags + kNum);
    std::set<std::string> keys;
    const std::unique_ptr<DB> db = Open();
    const std::unique_ptr<Iterator> iterator(db->NewIterator(ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      keys.insert(iterator->key().ToString());
    }
    return keys;
  };
  const std::set<std::string> first = keys_of_run("");
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(first, keys_of_run(""));
  EXPECT_NE(first, keys_of_run(" --seed=302"));
}

TEST_F(DbBenchTest, MistakesAreOneSentenceAndExitCodeOne) {
  Fail(1, "--benchmarks=fillfast", "db_bench: there is no benchmark \"fillfast\"");
  Fail(1, "--num=-3", "db_bench: --num must be");
  Fail(1, "--num=many", "num");
  Fail(1, "--no_such_flag=1", "no_such_flag");
  Fail(1, "fillseq", "\"fillseq\" is not one");
  Fail(1, "--compression=lz4", "--compression must be");
  Fail(1, "--use_pm --pm_size=8X", "--pm_size must be");
  Fail(1, "--use_existing_db --benchmarks=fillseq", "nothing is left to run");
  Fail(1, "--use_existing_db --benchmarks=readseq", "opening " + database_ + " failed");
  Fail(1, "--benchmarks=fillseq --report=/no/such/directory/r.json", "cannot write the report");
}

TEST_F(DbBenchTest, HelpIsNoMistake) {
  const Outcome outcome = Succeed("--help");
  EXPECT_NE(std::string::npos, outcome.output.find("--use_existing_db (bool)"));
}

// The program must run with any library of the same interface: it uses the library's exported
// symbols, and has no copies of its own that would replace them.
TEST(DbBenchLinkageTest, DefinesNothingThatTheLibraryExports) {
  EXPECT_EQ(std::vector<std::string>(), CopiesOfTheLibrary(DB_BENCH_PROGRAM, LEVELDB_LIBRARY));
}

TEST(DbBenchLinkageTest, NeedsTheSharedLibrary) {
  const std::string needed = RunCommand("readelf -d " + std::string(DB_BENCH_PROGRAM)).output;
  EXPECT_NE(std::string::npos, needed.find("[libleveldb.so.1d]")) << needed;
}

}  // namespace
}  // namespace leveldb::bench
