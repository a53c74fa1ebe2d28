// Runs the program itself: with every store that this build has, with the workload files, with
// Debian's LevelDB, with a tier, and with wrong arguments.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/json_check.h"
#include "benchmarks/run_command.h"
#include "benchmarks/tier_options.h"
#include "leveldb/db.h"
#include "ycsbc/bindings.h"
#include "ycsbc/record_keys.h"

// CMakeLists.txt defines where the program and the source tree are.
#ifndef YCSBC_PROGRAM
#define YCSBC_PROGRAM "ycsbc"
#define YCSBC_WORKLOADS "ycsbc/workloads"
#define LEVELDB_LIBRARY "libleveldb.so.1d"
#define STOCK_LIBRARY_DIR ""
#endif

namespace leveldb::ycsbc {
namespace {

using bench::Outcome;
using bench::RunCommand;

constexpr char kSmall[] = " -p recordcount=300 -p operationcount=600 -p maxscanlength=20";
constexpr char kEverything[] =
    " -p readproportion=0.3 -p updateproportion=0.3 -p insertproportion=0.1 -p scanproportion=0.1 "
    "-p readmodifywriteproportion=0.2 -p requestdistribution=zipfian";

class YcsbcTest : public testing::Test {
 protected:
  ~YcsbcTest() override { std::filesystem::remove_all(directory_); }
  void SetUp() override {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }

  Outcome Ycsbc(const std::string& arguments, const std::string& environment = "") {
    return RunCommand(environment + " " + YCSBC_PROGRAM + " -dbpath " + store_ + " " + arguments);
  }

  std::string Succeed(const std::string& arguments, const std::string& environment = "") {
    const Outcome outcome = Ycsbc(arguments, environment);
    EXPECT_EQ(0, outcome.exit_code) << arguments << "\n" << outcome.output;
    return outcome.output;
  }

  void Fail(int exit_code, const std::string& arguments, const std::string& words) {
    const Outcome outcome = Ycsbc(arguments);
    EXPECT_EQ(exit_code, outcome.exit_code) << arguments << "\n" << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find(words)) << outcome.output;
  }

  std::string Report() const { return bench::ReadFile(json_); }

  const std::string directory_ = testing::TempDir() + "/ycsbc_test." + std::to_string(getpid());
  const std::string store_ = directory_ + "/store";
  const std::string json_ = directory_ + "/report.json";
};

// Each store runs in a test of its own.
class EachStoreTest : public YcsbcTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    YcsbcTest::SetUp();
    const std::string mistake = FindBindingMistake(GetParam());
    if (mistake.empty()) return;
    Fail(2, Db("-load" + std::string(kSmall)), mistake);
    GTEST_SKIP() << mistake;
  }

  static std::string Db(const std::string& arguments) {
    return std::string("-db ") + GetParam() + " " + arguments;
  }
};

INSTANTIATE_TEST_SUITE_P(Of, EachStoreTest,
                         testing::Values("leveldb", "rocksdb", "lmdb", "wiredtiger"),
                         [](const auto& store) { return std::string(store.param); });

TEST_P(EachStoreTest, DoesEverythingAndKeepsIt) {
  const std::string all = std::string(kSmall) + kEverything;
  for (const char* more : {"", " -threads 3 -p writeallfields=true", " -p insertorder=ordered"}) {
    const std::string output = Succeed(Db("-load -run -check -latency -dbstatistics" + all + more));
    for (const char* words :
         {"\nload         : ", "\nrun          : ", "\ncheck        : ", "READ-MODIFY-WRITE",
          "records scanned", "p99.99", "Verify:     every read\n"}) {
      EXPECT_NE(std::string::npos, output.find(words)) << words << " is not in\n" << output;
    }
    Succeed(Db("-run" + all + more));
  }
}

TEST_P(EachStoreTest, SaysSomethingOfItself) {
  const std::string plain = Succeed(Db("-load" + std::string(kSmall)));
  const std::string told = Succeed(Db("-load -dbstatistics" + std::string(kSmall)));
  EXPECT_GT(told.size(), plain.size() + 50) << told;
}

TEST_P(EachStoreTest, TakesItsOptions) {
  std::vector<std::string> options = {".sync=true"};
  if (GetParam() == std::string("lmdb")) {
    options.insert(options.end(), {".map_size=64M"});
  } else {
    options.insert(options.end(), {".cache_size=2M", ".compression=snappy"});
  }
  if (GetParam() == std::string("rocksdb")) {
    options.insert(options.end(), {".advise_random_on_open=false", ".compaction_readahead_size=2M",
                                   ".block_size=16K"});
  }
  for (const std::string& option : options) {
    Succeed(Db("-load -run -p " + std::string(GetParam()) + option + kSmall));
  }
  Fail(2, Db("-load -p " + std::string(GetParam()) + ".none=1" + kSmall), "there is no property");
}

TEST_P(EachStoreTest, IsNotMadeByARun) {
  Fail(1, Db("-run" + std::string(kSmall)), "opening " + std::string(GetParam()));
}

TEST_P(EachStoreTest, TakesLargeAndSmallValues) {
  for (const char* shape :
       {"-p fieldcount=1 -p fieldlength=8", "-p fieldcount=1 -p fieldlength=256",
        "-p fieldcount=4 -p fieldlength=4096",
        "-p fieldcount=3 -p fieldlength=700 -p field_len_dist=uniform"}) {
    Succeed(Db("-load -run " + std::string(shape) + kSmall + kEverything));
  }
}

// The command lines are those of YCSB-C's README, its forks and BushStore's README; W is a workload
// file, D a directory.
TEST_F(YcsbcTest, PublishedCommandLines) {
  const std::string workload = std::string(YCSBC_WORKLOADS) + "/workloada";
  for (const std::string& line : std::vector<std::string>{
           "-db leveldb -threads 4 -P W",
           "-db leveldb -dbfilename D -threads 4 -P W",
           "-db leveldb -path D -threads 4 -P W",
           "-db leveldb -dbpath D -threads 1 -P W -load true -run true -dbstatistics true",
           "-db leveldb -dbpath D -threads 1 -P W -load true -dboption 1",
           "-db leveldb -dbpath D -pmpath D -threads 1 -P W -load true -dboption 1 "
           "-dbstatistics true -timeseries false -latency true",
           "-db leveldb -dbpath D -pmpath D -flushssd true -threads 8 -P W -load true -dboption 1 "
           "-dbstatistics true -timeseries false -latency true",
           "-db leveldb -host localhost -port 6379 -slaves 0 -threads 2 -P W",
       }) {
    std::filesystem::remove_all(store_);
    std::string command;
    for (const char c : line + " ") {
      command += c;
      if (command.size() < 3 || c != ' ') continue;
      const std::string word = command.substr(command.size() - 3);
      if (word == " W ") command.replace(command.size() - 2, 1, workload);
      if (word == " D ") command.replace(command.size() - 2, 1, store_);
    }
    const Outcome outcome =
        RunCommand("TMPDIR=" + directory_ + " " + YCSBC_PROGRAM + " " + command +
                   "-p recordcount=300 -p operationcount=300 -p leveldb.pm_size=64M");
    EXPECT_EQ(0, outcome.exit_code) << line << "\n" << outcome.output;
    const bool runs = line.find("-load true -db") == std::string::npos &&
                      line.find("-load true -dboption") == std::string::npos;
    EXPECT_NE(std::string::npos, outcome.output.find("\nload ")) << line << outcome.output;
    EXPECT_EQ(runs, outcome.output.find("\nrun ") != std::string::npos) << line << outcome.output;
    EXPECT_EQ(line.find(" D") != std::string::npos, std::filesystem::exists(store_)) << line;
  }
  // The directory that was made without a path is gone, and other files are unchanged.
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    EXPECT_EQ(store_, entry.path()) << entry.path();
  }
}

// The name cannot be predicted, so that no directory of another program is removed.
TEST_F(YcsbcTest, TheDirectoryOfARunWithoutAPathIsNew) {
  const Outcome outcome = RunCommand("TMPDIR=/no/such/directory " + std::string(YCSBC_PROGRAM) +
                                     " -p recordcount=10 -p operationcount=10");
  EXPECT_EQ(2, outcome.exit_code);
  EXPECT_NE(std::string::npos,
            outcome.output.find("cannot make the directory /no/such/directory/ycsbc-"))
      << outcome.output;
  // The shell keeps its process number when it executes the program.
  const std::string guessed = "mkdir " + directory_ + "/ycsbc-$$ && touch " + directory_ +
                              "/ycsbc-$$/mine && TMPDIR=" + directory_ + " exec ";
  const Outcome second =
      RunCommand("sh -c '" + guessed + YCSBC_PROGRAM + " -p recordcount=10 -p operationcount=10'");
  EXPECT_EQ(0, second.exit_code) << second.output;
  size_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    kept += std::filesystem::exists(entry.path() / "mine") ? 1 : 0;
  }
  EXPECT_EQ(1u, kept);
}

// Each command line has the number of its words before it, with a 0 at the end, as in BushStore's
// input files, also with line ends of other systems.
TEST_F(YcsbcTest, PublishedInputFiles) {
  const std::string input = directory_ + "/input";
  const std::string common =
      "./ycsbc -db leveldb -dbpath " + store_ + " -threads 1 -P " + YCSBC_WORKLOADS + "/workloada ";
  const std::string rest = " true -dboption 1 -dbstatistics true -timeseries false -latency true";
  for (const char* const end : {"\n", "\r\n"}) {
    std::filesystem::remove_all(store_);
    std::ofstream(input) << "19" << end << common + "-load" + rest << end << "19" << end
                         << common + "-run" + rest << end << "0" << end;
    const Outcome outcome = RunCommand(std::string(YCSBC_PROGRAM) + " " + input);
    EXPECT_EQ(0, outcome.exit_code) << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find("\nload ")) << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find("\nrun ")) << outcome.output;
  }
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"two ./ycsbc -h", "is to be the number of words"},
           {"9 ./ycsbc -h", "fewer words than the 9"},
           {"3 ./ycsbc -none 1 0", "there is no option"}}) {
    std::ofstream(input) << text;
    const Outcome outcome = RunCommand(std::string(YCSBC_PROGRAM) + " " + input);
    EXPECT_EQ(2, outcome.exit_code) << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find(words)) << outcome.output;
  }
  const Outcome outcome = RunCommand(std::string(YCSBC_PROGRAM) + " " + directory_ + "/none");
  EXPECT_EQ(2, outcome.exit_code);
  EXPECT_NE(std::string::npos, outcome.output.find("cannot read")) << outcome.output;
}

TEST_F(YcsbcTest, EveryWorkloadFile) {
  for (const char* name : {"workloada", "workloadb", "workloadc", "workloadd", "workloade",
                           "workloadf", "reads0", "reads25", "reads50", "reads75", "reads100"}) {
    const std::string file = std::string(YCSBC_WORKLOADS) + "/" + name;
    const std::string output = Succeed("-load -run -P " + file);
    EXPECT_NE(std::string::npos, output.find("1000 operations in")) << output;
  }
  Succeed("-load -run -P " + std::string(YCSBC_WORKLOADS) + "/workloada -p zipfianvalue=1.1");
  EXPECT_EQ(11, std::distance(std::filesystem::directory_iterator(YCSBC_WORKLOADS),
                              std::filesystem::directory_iterator()));
}

TEST_F(YcsbcTest, TheReportHasEveryFigure) {
  Succeed("-load -run -latency -timeseries -dbstatistics -threads 2 -seed 7 -json " + json_ +
          kSmall + kEverything);
  const std::string report = Report();
  EXPECT_TRUE(bench::IsJson(report)) << report;
  for (const char* member : {"\"program\": \"ycsbc\"",
                             "\"date\": ",
                             "\"binding\": \"leveldb\"",
                             "\"file\": \"/",
                             "\"cpu_model\": ",
                             "\"kernel\": ",
                             "\"threads\": 2",
                             "\"seed\": 7",
                             "\"load\": true",
                             "\"recordcount\": 300",
                             "\"requestdistribution\": \"zipfian\"",
                             "\"readallfields\": true",
                             "\"zipfianvalue\": 0.99",
                             "\"leveldb.bloom_bits\": 10",
                             "\"name\": \"load\"",
                             "\"name\": \"run\"",
                             "\"open_seconds\": ",
                             "\"operations\": 600",
                             "\"elapsed_seconds\": ",
                             "\"operations_per_second\": ",
                             "\"megabytes_per_second\": ",
                             "\"scanned_records\": ",
                             "\"waits_for_same_record\": ",
                             "\"device_read_bytes\": ",
                             "\"device_reads\": ",
                             "\"name\": \"READ-MODIFY-WRITE\"",
                             "\"latency_micros\": ",
                             "\"average\": ",
                             "\"p50\": ",
                             "\"p95\": ",
                             "\"p99\": ",
                             "\"p99.9\": ",
                             "\"p99.99\": ",
                             "\"max\": ",
                             "\"statistics\": ",
                             "\"knows_versions\": true",
                             "\"peak_resident_bytes\": ",
                             "\"peak_anonymous_bytes\": ",
                             "\"ledger_bytes\": ",
                             "\"failure\": \"\""}) {
    EXPECT_NE(std::string::npos, report.find(member)) << member << " is not in\n" << report;
  }
  EXPECT_EQ(std::string::npos, report.find("rocksdb.")) << "that is another store's";
  Succeed("-run -json " + json_ + kSmall);
  EXPECT_EQ(std::string::npos, Report().find("latency_micros"));
  EXPECT_EQ(std::string::npos, Report().find("\"name\": \"load\""));
}

TEST_F(YcsbcTest, MistakesAreOneSentenceAndExitCodeTwo) {
  const std::string size = " -p recordcount=10 -p operationcount=10 ";
  Fail(2, "-fast", "ycsbc: there is no option \"-fast\"; -h lists them.\n");
  Fail(2, "-load false " + size, "ycsbc: nothing to do: give -load, -run or -check a true");
  Fail(2, "-load" + size + "-threads", "-threads needs a value after it");
  Fail(2, "-load" + size + "-threads 0", "-threads must be a whole number from 1 to 1024, and is");
  Fail(2, "-load" + size + "-seed x", "-seed must be");
  Fail(2, "-load" + size + "-P /no/such/file", "cannot read the property file /no/such/file: No ");
  Fail(2, "-load" + size + "-p fieldcout=3", "the nearest is \"fieldcount\"");
  Fail(2, "-load" + size + "-p fieldcount", "-p takes name=value");
  Fail(2, "-load" + size + "-p fieldcount=x", "fieldcount must be a whole number");
  Fail(2, "-run" + size + "-p readproportion=1", "must add up to 1, and add up to 1.05");
  Fail(2, "-run -p recordcount=10", "operationcount is missing");
  Fail(2, "-load", "recordcount is missing");
  Fail(2, "-load" + size + "-db oracle", "there is no store \"oracle\"; -db takes one of leveldb");
  Fail(2, "-load" + size + "-db lmdb -pmpath /dev/shm", "lmdb");
  Fail(2, "-load" + size + "-json /no/such/directory/r.json", "cannot write the report");
  Fail(2, "-load" + size + "-p leveldb.spill_stop=0.9", "leveldb.spill_stop must be at most");
  const Outcome outcome = RunCommand(std::string(YCSBC_PROGRAM) + " -load" + size);
  EXPECT_EQ(2, outcome.exit_code);
  EXPECT_EQ("ycsbc: -dbpath is missing: say in which directory the store is.\n", outcome.output);
  EXPECT_FALSE(std::filesystem::exists(store_)) << "a mistake is found before anything is made";
}

TEST_F(YcsbcTest, HelpIsNoMistake) {
  const std::string output = Succeed("-h");
  for (const char* words : {"usage: ycsbc", "  -pmpath PATH ", "  zipfianvalue=0.99\n",
                            "  lmdb.map_size=", "  recordcount\n"}) {
    EXPECT_NE(std::string::npos, output.find(words)) << words;
  }
}

// The program detects a faulty store.
TEST_F(YcsbcTest, WrongDataIsExitCodeThree) {
  Succeed("-load" + std::string(kSmall));
  DB* db = nullptr;
  ASSERT_TRUE(DB::Open(Options(), store_, &db).ok());
  EXPECT_TRUE(db->Delete(WriteOptions(), RecordKeys(true, 1).KeyOf(123)).ok());
  delete db;
  const std::string reads = " -p readproportion=1 -p updateproportion=0 -p operationcount=10000";
  Fail(3, "-run" + std::string(kSmall) + reads + " -json " + json_,
       " (record 123): it was not found, though version 1 had been acknowledged.\n");
  EXPECT_TRUE(bench::IsJson(Report()));
  EXPECT_NE(std::string::npos, Report().find("\"failure\": \"wrong data: key user"));
}

TEST_F(YcsbcTest, DebiansLibraryIsMeasuredByTheSameProgram) {
  const std::string stock = STOCK_LIBRARY_DIR;
  if (stock.empty()) GTEST_SKIP() << "libleveldb1d is not installed";
  const std::string environment = "LD_LIBRARY_PATH=" + stock;
  const std::string output =
      Succeed("-load -run -dbstatistics" + std::string(kSmall) + kEverything, environment);
  EXPECT_NE(std::string::npos, output.find("Store:      leveldb 1.23, ")) << output;
  EXPECT_EQ(std::string::npos, output.find(LEVELDB_LIBRARY)) << output;
  Succeed("-run" + std::string(kSmall) + kEverything);
  const Outcome tier = Ycsbc("-load -pmpath /dev/shm" + std::string(kSmall), environment);
  EXPECT_EQ(1, tier.exit_code);
  EXPECT_NE(std::string::npos, tier.output.find("the library knows no persistent memory"));
  Succeed("-load" + std::string(kSmall));
}

class YcsbcTierTest : public YcsbcTest {
 protected:
  ~YcsbcTierTest() override { std::filesystem::remove_all(pools_); }
  void SetUp() override {
    YcsbcTest::SetUp();
    std::filesystem::create_directories(pools_);
    const Outcome outcome = Ycsbc(Tier("-load" + std::string(kSmall)));
    if (outcome.output.find("Not implemented") == std::string::npos) return;
    GTEST_SKIP() << "this build or machine has no tier: " << outcome.output;
  }

  std::string Tier(const std::string& arguments) const {
    return "-pmpath " + pools_ + " -p leveldb.pm_size=64M " + arguments;
  }

  const std::string pools_ =
      (bench::IsOnTmpfs("/dev/shm") ? std::string("/dev/shm") : testing::TempDir()) +
      "/ycsbc_tier_test." + std::to_string(getpid());
};

TEST_F(YcsbcTierTest, DoesEverythingAndKeepsIt) {
  const std::string all = std::string(kSmall) + kEverything;
  const std::string output =
      Succeed(Tier("-load -run -dbstatistics -threads 2 -json " + json_ + all));
  for (const char* words : {"\nPool:       ", "\nDevice:     ", "\nPersistent: ", "pool-bytes "}) {
    EXPECT_NE(std::string::npos, output.find(words)) << words << " is not in\n" << output;
  }
  const std::string report = Report();
  EXPECT_TRUE(bench::IsJson(report)) << report;
  for (const char* member : {"\"pm-bytes-per-user-byte\": ", "\"device\": ", "\"medium\": ",
                             "\"leveldb.pm_size\": 67108864"}) {
    EXPECT_NE(std::string::npos, report.find(member)) << member;
  }
  Succeed(Tier("-run" + all));
  Succeed("-run" + all);  // by the database's own record of its pool
  for (const char* option : {"wal_persist_bytes=16K", "value_separation_bytes=1G", "dynamic_tree=0",
                             "flush_ssd=0", "pm_prefault=1", "sync=true"}) {
    Succeed(Tier("-load -run -p leveldb." + std::string(option) + all));
  }
}

TEST_F(YcsbcTierTest, ALoadRemovesThePoolOfTheStoreBefore) {
  EXPECT_FALSE(std::filesystem::is_empty(pools_));
  Succeed("-load" + std::string(kSmall));
  EXPECT_TRUE(std::filesystem::is_empty(pools_));
}

TEST(YcsbcLinkageTest, DefinesNothingThatTheLibraryExports) {
  EXPECT_EQ(std::vector<std::string>(), bench::CopiesOfTheLibrary(YCSBC_PROGRAM, LEVELDB_LIBRARY));
  const std::string needed = RunCommand("readelf -d " + std::string(YCSBC_PROGRAM)).output;
  EXPECT_NE(std::string::npos, needed.find("[libleveldb.so.1d]")) << needed;
}

}  // namespace
}  // namespace leveldb::ycsbc
