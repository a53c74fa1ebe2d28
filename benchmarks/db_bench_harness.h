// For tests that run the program itself.
#ifndef BUSHSTORE_BENCHMARKS_DB_BENCH_HARNESS_H_
#define BUSHSTORE_BENCHMARKS_DB_BENCH_HARNESS_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "benchmarks/key_codec.h"
#include "leveldb/db.h"

namespace leveldb::bench {

inline constexpr char kNum[] = " --num=2000";

struct Outcome {
  int exit_code = -1;
  std::string output;  // standard output and standard error
};

inline Outcome RunCommand(const std::string& command) {
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

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

inline std::string Key(uint64_t number) {
  KeyBuffer key(0);
  key.Set(number);
  return key.key().ToString();
}

// Where the build has put the program; CMakeLists.txt says it.
#ifndef DB_BENCH_PROGRAM
#define DB_BENCH_PROGRAM "db_bench"
#endif

// Each test has a directory of its own, with the database and the report in it.
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

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_DB_BENCH_HARNESS_H_
