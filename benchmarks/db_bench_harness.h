// DbBenchTest is the base of tests that run the program itself.
#ifndef BUSHSTORE_BENCHMARKS_DB_BENCH_HARNESS_H_
#define BUSHSTORE_BENCHMARKS_DB_BENCH_HARNESS_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "benchmarks/key_codec.h"
#include "benchmarks/run_command.h"
#include "benchmarks/tier_options.h"
#include "leveldb/db.h"

namespace leveldb::bench {

inline constexpr char kNum[] = " --num=2000";

inline std::string Key(uint64_t number) {
  KeyBuffer key(0);
  key.Set(number);
  return key.key().ToString();
}

// CMakeLists.txt defines the path of the program.
#ifndef DB_BENCH_PROGRAM
#define DB_BENCH_PROGRAM "db_bench"
#endif

// Each process has its own directory, with the database and the report of a test.
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

  // Opens the database of the last run.
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

  const std::string directory_ = testing::TempDir() + "/db_bench_test." + std::to_string(getpid());
  const std::string database_ = directory_ + "/db";
  const std::string report_ = directory_ + "/report.json";
};

// The same with pools: in memory if there is a tmpfs, otherwise in msynced files.
class DbBenchPmemTest : public DbBenchTest {
 protected:
  ~DbBenchPmemTest() override { std::filesystem::remove_all(pools_); }

  void SetUp() override {
    DbBenchTest::SetUp();
    std::filesystem::create_directories(pools_);
    const Outcome outcome = Bench(Tier("--benchmarks=fillseq --num=1"));
    if (outcome.output.find("Not implemented") == std::string::npos) return;
    GTEST_SKIP() << "this build or machine has no tier: " << outcome.output;
  }

  std::string Tier(const std::string& flags) const {
    return "--use_pm=1 --pm_size=64M --pm_path=" + pools_ + " " + flags;
  }

  const std::string pools_ = (IsOnTmpfs("/dev/shm") ? "/dev/shm" : testing::TempDir()) +
                             "/db_bench_pmem_test." + std::to_string(getpid());
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_DB_BENCH_HARNESS_H_
