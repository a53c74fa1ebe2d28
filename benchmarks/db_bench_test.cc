// Runs the program itself: all benchmarks end well on a right store, and a wrong store is found
// out. The store is made wrong between two runs, through the library's own interface.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "benchmarks/benchmark.h"
#include "benchmarks/json_check.h"
#include "benchmarks/key_codec.h"
#include "benchmarks/key_ledger.h"
#include "leveldb/db.h"

namespace leveldb::bench {
namespace {

constexpr char kNum[] = " --num=2000";

struct Outcome {
  int exit_code = -1;
  std::string output;  // standard output and standard error
};

Outcome RunCommand(const std::string& command) {
  Outcome outcome;
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  char chunk[4096];
  for (size_t n; (n = std::fread(chunk, 1, sizeof(chunk), pipe)) > 0;) {
    outcome.output.append(chunk, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string Key(uint64_t number) {
  KeyBuffer key(0);
  key.Set(number);
  return key.key().ToString();
}

class DbBenchTest : public testing::Test {
 protected:
  DbBenchTest() { std::filesystem::remove_all(directory_); }
  ~DbBenchTest() override { std::filesystem::remove_all(directory_); }

  void SetUp() override { std::filesystem::create_directories(directory_); }

  Outcome Bench(const std::string& flags) {
    return RunCommand(std::string(DB_BENCH_PROGRAM) + " --db=" + database_ + " " + flags);
  }

  Outcome Succeed(const std::string& flags) {
    Outcome outcome = Bench(flags);
    EXPECT_EQ(0, outcome.exit_code) << flags << "\n" << outcome.output;
    return outcome;
  }

  void Fail(int exit_code, const std::string& flags, const std::string& words) {
    const Outcome outcome = Bench(flags);
    EXPECT_EQ(exit_code, outcome.exit_code) << flags << "\n" << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find(words)) << outcome.output;
  }

  // Opens the database that the last run left behind.
  std::unique_ptr<DB> Open() {
    DB* db = nullptr;
    const Status status = DB::Open(Options(), database_, &db);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return std::unique_ptr<DB>(db);
  }

  std::string Get(uint64_t key) {
    std::string value;
    EXPECT_TRUE(Open()->Get(ReadOptions(), Key(key), &value).ok());
    return value;
  }

  void Put(uint64_t key, const std::string& value) {
    EXPECT_TRUE(Open()->Put(WriteOptions(), Key(key), value).ok());
  }

  void Delete(uint64_t key) { EXPECT_TRUE(Open()->Delete(WriteOptions(), Key(key)).ok()); }

  const std::string directory_ = testing::TempDir() + "/db_bench_test." +
                                 testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string database_ = directory_ + "/db";
  const std::string report_ = directory_ + "/report.json";
};

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

TEST_F(DbBenchTest, DefaultListEndsWell) {
  Succeed(kNum);
}

TEST_F(DbBenchTest, ManyThreadsAreVerifiedToo) {
  Succeed(
      "--threads=4 --benchmarks=fillrandom,readrandom,overwrite,readwhilewriting,readrandom,"
      "deleterandom,readseq,readrandom,seekrandom,readreverse,readmissing,seekordered" +
      std::string(kNum));
}

TEST_F(DbBenchTest, WritesBesideReadsWithManyFlushes) {
  Succeed(
      "--threads=2 --write_buffer_size=65536 --max_file_size=65536 --reads=20000 "
      "--benchmarks=fillseq,overwrite,readwhilewriting,readseq" +
      std::string(kNum));
}

TEST_F(DbBenchTest, OptionsOfAllKinds) {
  const std::string list =
      " --benchmarks=fillrandom,overwrite,readrandom,readmissing,readseq,readreverse,seekrandom,"
      "compact,readrandom,deleteseq,readseq";
  for (const char* flags :
       {"--bloom_bits=10", "--compression=none", "--compression=1", "--cache_size=0",
        "--value_size=0", "--value_size=1", "--value_size=20000 --compression_ratio=0.1",
        "--key_prefix=20 --block_size=1024", "--comparisons=1 --histogram", "--open_files=74",
        "--write_buffer_size=65536 --max_file_size=1000000", "--reuse_logs=1", "--seed=7",
        "--reads=10", "--verify=0"}) {
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

class TamperTest : public DbBenchTest {
 protected:
  void SetUp() override {
    DbBenchTest::SetUp();
    Succeed("--benchmarks=fillseq" + std::string(kNum));
  }

  // Every way to read all keys has to find out, with exit code 2 and these words.
  void ExpectFoundOut(const std::string& words) {
    for (const char* name : {"readrandom", "readseq", "readreverse", "seekrandom"}) {
      Fail(2, Existing(name) + " --reads=40000 --report=" + report_, words);
      const std::string report = ReadFile(report_);
      EXPECT_TRUE(IsJson(report));
      EXPECT_NE(std::string::npos, report.find(words)) << report;
    }
  }

  static std::string Existing(const std::string& benchmarks) {
    return "--use_existing_db=1 --benchmarks=" + benchmarks + kNum;
  }
};

TEST_F(TamperTest, UntouchedDatabaseIsRight) {
  Succeed(Existing("readrandom,readseq,overwrite,readseq"));
  Succeed(Existing("readreverse,deleterandom,seekrandom,readseq"));
  Succeed(Existing("readseq") + " --num=10");
  Succeed(Existing("readrandom") + " --num=3000");
}

TEST_F(TamperTest, LostKey) {
  Delete(1234);
  ExpectFoundOut("key 1234 was written and");
}

TEST_F(TamperTest, WrongValue) {
  Put(1234, Get(1235));
  ExpectFoundOut("key 1234 has a wrong value (100 bytes)");
}

TEST_F(TamperTest, CutValue) {
  Put(1234, Get(1234).substr(0, 99));
  ExpectFoundOut("key 1234 has a wrong value (99 bytes)");
}

TEST_F(TamperTest, StaleValue) {
  const std::string old_value = Get(1234);
  Succeed(Existing("overwrite,overwrite,overwrite,overwrite,overwrite,overwrite,overwrite"));
  ASSERT_NE(old_value, Get(1234));
  Put(1234, old_value);
  ExpectFoundOut("key 1234 has the value of writing phase 1, though phase");
}

TEST_F(TamperTest, DeletedKeyThatComesBack) {
  const std::string value = Get(1234);
  Succeed(Existing("deleteseq,readseq"));
  Put(1234, value);
  ExpectFoundOut("key 1234 was found, though it was deleted or never written");
}

TEST_F(TamperTest, VerifyOffLetsItPass) {
  Delete(1234);
  const Outcome outcome = Succeed(Existing("readseq,readrandom") + " --verify=0");
  EXPECT_NE(std::string::npos, outcome.output.find("Verify:     OFF (--verify=0)"));
}

TEST_F(TamperTest, WithoutLedgerValuesAreCheckedAndPresenceIsNot) {
  std::filesystem::remove(database_ + "/" + kLedgerFileName);
  Delete(1234);
  Succeed(Existing("readseq,readrandom,seekrandom"));
  Put(1233, Get(1235));
  ExpectFoundOut("key 1233 has a wrong value");
}

TEST_F(TamperTest, WithoutLedgerWhatTheRunItselfWritesIsKnown) {
  std::filesystem::remove(database_ + "/" + kLedgerFileName);
  Succeed(Existing("overwrite,readrandom,deleterandom,readseq,readrandom"));
}

TEST_F(TamperTest, UnverifiedWritesLeaveNoLedgerBehind) {
  Succeed(Existing("deleterandom") + " --verify=0");
  EXPECT_FALSE(std::filesystem::exists(database_ + "/" + kLedgerFileName));
  Succeed(Existing("readseq,readrandom"));
}

TEST_F(TamperTest, DamagedLedgerIsTold) {
  std::ofstream(database_ + "/" + kLedgerFileName) << "rubbish";
  Fail(1, Existing("readseq"), "db_bench.keys is damaged; remove it");
}

TEST_F(TamperTest, AnotherKeyPrefixIsTold) {
  Fail(1, Existing("readseq") + " --key_prefix=3", "was written with --key_prefix=0");
}

TEST_F(TamperTest, FillsAreSkipped) {
  const Outcome outcome = Succeed(Existing("fillseq,readseq"));
  EXPECT_NE(std::string::npos, outcome.output.find("fillseq      : skipped"));
}

TEST_F(TamperTest, AFreshRunStartsOver) {
  Delete(1234);
  Succeed("--benchmarks=readseq,fillseq,readseq" + std::string(kNum));
}

TEST_F(DbBenchTest, MistakesAreOneSentenceAndExitCodeOne) {
  Fail(1, "--benchmarks=fillfast", "db_bench: there is no benchmark \"fillfast\"");
  Fail(1, "--num=-3", "db_bench: --num must be");
  Fail(1, "--num=many", "num");
  Fail(1, "--no_such_flag=1", "no_such_flag");
  Fail(1, "fillseq", "\"fillseq\" is not one");
  Fail(1, "--compression=lz4", "--compression must be");
  Fail(1, "--use_existing_db --benchmarks=fillseq", "nothing is left to run");
  Fail(1, "--use_existing_db --benchmarks=readseq", "opening " + database_ + " failed");
  Fail(1, "--benchmarks=fillseq --report=/no/such/directory/r.json", "cannot write the report");
}

TEST_F(DbBenchTest, HelpIsNoMistake) {
  const Outcome outcome = Succeed("--help");
  EXPECT_NE(std::string::npos, outcome.output.find("--use_existing_db (bool)"));
}

// The program must run with any library of the same interface: it takes what the library exports
// from the library, and has no copy of its own that would take the library's place.
TEST(DbBenchLinkageTest, DefinesNothingThatTheLibraryExports) {
  const auto symbols = [](const std::string& command) {
    std::set<std::string> names;
    std::istringstream lines(RunCommand(command).output);
    std::string address;
    std::string type;
    std::string name;
    while (lines >> address >> type >> name) {
      if (type == "T" || type == "D" || type == "B") names.insert(name);
    }
    return names;
  };
  const std::set<std::string> exported =
      symbols("nm -D --defined-only " + std::string(LEVELDB_LIBRARY));
  const std::set<std::string> own = symbols("nm --defined-only " + std::string(DB_BENCH_PROGRAM));
  ASSERT_FALSE(exported.empty());
  ASSERT_FALSE(own.empty());
  for (const std::string& name : own) {
    const bool is_cplusplus = name.rfind("_Z", 0) == 0;
    EXPECT_FALSE(is_cplusplus && exported.count(name) > 0) << name;
  }
}

TEST(DbBenchLinkageTest, NeedsTheSharedLibrary) {
  const std::string needed = RunCommand("readelf -d " + std::string(DB_BENCH_PROGRAM)).output;
  EXPECT_NE(std::string::npos, needed.find("[libleveldb.so.1d]")) << needed;
}

}  // namespace
}  // namespace leveldb::bench
