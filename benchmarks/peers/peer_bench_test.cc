// Runs the program itself: with every store that this build has, and with wrong arguments.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/json_check.h"
#include "benchmarks/run_command.h"
#include "benchmarks/tier_options.h"
#include "ycsbc/bindings.h"

// CMakeLists.txt defines the path of the program.
#ifndef PEER_BENCH_PROGRAM
#define PEER_BENCH_PROGRAM "peer_bench"
#define LEVELDB_LIBRARY "libleveldb.so.1d"
#endif

namespace leveldb::peers {
namespace {

using bench::Outcome;
using bench::RunCommand;

constexpr char kSmall[] = " --num=500 --value_size=200 --rest_millis=20";

class PeerBenchTest : public testing::Test {
 protected:
  ~PeerBenchTest() override { std::filesystem::remove_all(directory_); }
  void SetUp() override { std::filesystem::create_directories(directory_ + "/pool"); }

  Outcome PeerBench(const std::string& arguments) {
    std::filesystem::remove_all(directory_ + "/store");
    return RunCommand(std::string(PEER_BENCH_PROGRAM) + " --path=" + directory_ + "/store " +
                      arguments);
  }

  std::string Report(const std::string& arguments) {
    const Outcome outcome = PeerBench(arguments + " --json=" + json_ + kSmall);
    EXPECT_EQ(0, outcome.exit_code) << outcome.output;
    return bench::ReadFile(json_);
  }

  void Fail(int exit_code, const std::string& arguments, const std::string& words) {
    const Outcome outcome = PeerBench(arguments);
    EXPECT_EQ(exit_code, outcome.exit_code) << arguments << "\n" << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find(words)) << outcome.output;
  }

  const std::string directory_ =
      (bench::IsOnTmpfs("/dev/shm") ? std::string("/dev/shm") : testing::TempDir()) +
      "/peer_bench_test." + std::to_string(getpid());
  const std::string json_ = directory_ + "/report.json";
};

void ExpectMembers(const std::string& report, const std::vector<std::string>& members) {
  EXPECT_TRUE(bench::IsJson(report)) << report;
  for (const std::string& member : members) {
    EXPECT_NE(std::string::npos, report.find(member)) << member << " is not in\n" << report;
  }
}

constexpr char kMore[] =
    " --workloads=fillbatch,readhot,readseq,readreverse,seekordered,deleterandom,readreverse,"
    "readrandom,deleteseq,readseq";

class EachStoreTest : public PeerBenchTest, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Of, EachStoreTest,
                         testing::Values("leveldb", "rocksdb", "lmdb", "wiredtiger"),
                         [](const auto& store) { return std::string(store.param); });

TEST_P(EachStoreTest, DoesEverything) {
  const std::string name = GetParam();
  const std::string mistake = ycsbc::FindBindingMistake(name);
  if (!mistake.empty()) {
    Fail(2, "--db=" + name + kSmall, mistake);
    GTEST_SKIP() << mistake;
  }
  for (const char* sync : {"false", "true"}) {
    std::string sync_option = " --" + name + ".sync=";
    sync_option += sync;
    ExpectMembers(Report("--db=" + name + sync_option), {"\"program\": \"peer_bench\"",
                                                         "\"binding\": \"" + name + "\"",
                                                         "\"file\": \"/",
                                                         "\"num\": 500",
                                                         "\"value_size\": 200",
                                                         "\"name\": \"fillseq\"",
                                                         "\"name\": \"seekrandom_values\"",
                                                         "\"operations\": 500",
                                                         "\"elapsed_seconds\": ",
                                                         "\"operations_per_second\": ",
                                                         "\"micros_per_operation\": ",
                                                         "\"rest_seconds\": ",
                                                         "\"operations_a_latency\": 100",
                                                         "\"timed_one_in\": 8",
                                                         "\"latency_micros\": ",
                                                         "\"average\": ",
                                                         "\"p50\": ",
                                                         "\"p95\": ",
                                                         "\"p99\": ",
                                                         "\"p99.9\": ",
                                                         "\"p99.99\": ",
                                                         "\"max\": ",
                                                         "\"user_bytes\": 324000",
                                                         "\"written_bytes_a_user_byte\": ",
                                                         "\"space_bytes\": ",
                                                         "\"live_bytes\": ",
                                                         "\"peak_resident_bytes\": ",
                                                         "\"peak_anonymous_bytes\": ",
                                                         "\"failure\": \"\""});
    ExpectMembers(
        Report("--db=" + name + sync_option + kMore),
        {"\"name\": \"fillbatch\"", "\"operations_a_latency\": 1000", "\"name\": \"readhot\"",
         "\"name\": \"readreverse\"", "\"name\": \"seekordered\"", "\"name\": \"deleterandom\"",
         "\"name\": \"deleteseq\"", "\"user_bytes\": 124000", "\"live_bytes\": 0",
         "\"failure\": \"\""});
  }
}

TEST_F(PeerBenchTest, ATierDoesEverything) {
  const std::string options =
      "--pm_path=" + directory_ + "/pool --leveldb.pm_size=64M --json=" + json_ + kSmall;
  const Outcome outcome = PeerBench(options);
  if (outcome.output.find("Not implemented") != std::string::npos) {
    GTEST_SKIP() << "this build or machine has no tier: " << outcome.output;
  }
  EXPECT_EQ(0, outcome.exit_code) << outcome.output;
  ExpectMembers(bench::ReadFile(json_), {"\"pmem\": ", "\"leveldb.pm_size\": 67108864"});
  EXPECT_EQ(0, PeerBench(options + kMore).exit_code);
}

TEST_F(PeerBenchTest, MistakesAreOneSentenceAndExitCodeTwo) {
  Fail(2, "--fast=1", "fast");
  Fail(2, "fast", "options look like --name=value, and \"fast\" does not");
  Fail(2, "--nun=1", "the nearest is \"num\"");
  Fail(2, "--num=0", "num must be a whole number");
  Fail(2, "--value_size=3", "value_size must be");
  Fail(2, "--workloads=fillseq,none", "there is no workload \"none\"; there are fillseq,");
  Fail(2, "--workloads=readseq", "the workloads must begin with a fill");
  Fail(2, "--db=oracle", "there is no store \"oracle\"");
  Fail(2, "--path= --num=1", "--path");
  Fail(2, "--num=1 --json=/no/such/directory/r.json", "cannot write the report");
  EXPECT_EQ(0, PeerBench("--help").exit_code);
}

TEST_F(PeerBenchTest, FilesOfOthersAreLeftAlone) {
  const Outcome outcome =
      RunCommand(std::string(PEER_BENCH_PROGRAM) + " --num=1 --path=" + directory_);
  EXPECT_EQ(2, outcome.exit_code);
  EXPECT_NE(std::string::npos, outcome.output.find("is not empty")) << outcome.output;
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/pool"));
}

TEST(PeerBenchLinkageTest, DefinesNothingThatTheLibraryExports) {
  EXPECT_EQ(std::vector<std::string>(),
            bench::CopiesOfTheLibrary(PEER_BENCH_PROGRAM, LEVELDB_LIBRARY));
}

}  // namespace
}  // namespace leveldb::peers
