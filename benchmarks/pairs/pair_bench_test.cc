// Runs the program itself, with this library and a copy of it.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "benchmarks/run_command.h"

// CMakeLists.txt defines the path of the program.
#ifndef PAIR_BENCH_PROGRAM
#define PAIR_BENCH_PROGRAM "pair_bench"
#define LEVELDB_LIBRARY "libleveldb.so.1d"
#endif

namespace leveldb::bench {
namespace {

namespace fs = std::filesystem;

class PairBenchTest : public testing::Test {
 protected:
  ~PairBenchTest() override { fs::remove_all(directory_); }
  void SetUp() override {
    fs::create_directories(directory_ + "/db");
    fs::create_directories(directory_ + "/pool");
    fs::copy_file(fs::canonical(LEVELDB_LIBRARY), copy_);
  }

  Outcome PairBench(const std::string& arguments) const {
    return RunCommand(std::string(PAIR_BENCH_PROGRAM) + " --db=" + directory_ + "/db " + arguments);
  }

  void ExpectFailure(int exit_code, const std::string& arguments, const std::string& words) const {
    const Outcome outcome = PairBench(arguments);
    EXPECT_EQ(exit_code, outcome.exit_code) << outcome.output;
    EXPECT_EQ("pair_bench: " + words + ".\n", outcome.output);
    EXPECT_TRUE(fs::is_empty(directory_ + "/db"));
  }

  void ExpectFigures(const std::string& arguments, const std::string& first_line) const {
    const Outcome outcome = PairBench(arguments + " " + std::string(LEVELDB_LIBRARY) + " " + copy_);
    EXPECT_EQ(0, outcome.exit_code) << outcome.output;
    EXPECT_EQ(first_line, outcome.output.substr(0, outcome.output.find('\n')));
    for (const std::string& part :
         {std::string(LEVELDB_LIBRARY), copy_,
          std::string("\ntime of the second, of the first, turn by turn: ")}) {
      EXPECT_NE(std::string::npos, outcome.output.find(part)) << outcome.output;
    }
    EXPECT_TRUE(fs::is_empty(directory_ + "/db"));
    EXPECT_TRUE(fs::is_empty(directory_ + "/pool"));
  }

  const std::string directory_ =
      testing::TempDir() + "/pair_bench_test." + std::to_string(getpid());
  const std::string copy_ = directory_ + "/copy.so";
};

TEST_F(PairBenchTest, ComparesALibraryWithItsCopyInEachWorkload) {
  for (const std::string workload :
       {"fillseq", "fillrandom", "readrandom", "readmissing", "readwhilewriting", "readseq",
        "readseq_values", "readreverse", "readreverse_values", "seekonce", "seekrandom",
        "seekrandom_values"}) {
    ExpectFigures("--num=500 --turn=50 --rest_seconds=0 --value_size=100 --workload=" + workload,
                  workload + " of 100 bytes, 500 keys: 20 turns of 50 operations");
  }
}

TEST_F(PairBenchTest, ASeekEndsWithTheLastKey) {
  ExpectFigures("--num=50 --turn=50 --rest_seconds=0 --value_size=100 --workload=seekrandom_values",
                "seekrandom_values of 100 bytes, 50 keys: 2 turns of 50 operations");
}

TEST_F(PairBenchTest, GivesEachAPoolOfItsOwn) {
  ExpectFigures(
      "--num=500 --turn=50 --operations=100 --pm_size=16M --pm_path=" + directory_ + "/pool",
      "fillrandom of 1024 bytes, 500 keys: 2 turns of 50 operations");
}

TEST_F(PairBenchTest, APoolThatIsTooSmallIsAnError) {
  const Outcome outcome = PairBench("--pm_size=1K --pm_path=" + directory_ + "/pool " +
                                    std::string(LEVELDB_LIBRARY) + " " + copy_);
  EXPECT_EQ(1, outcome.exit_code);
  EXPECT_EQ(0u, outcome.output.find("pair_bench: " + std::string(LEVELDB_LIBRARY) + ": "))
      << outcome.output;
}

// An interruption leaves no databases, in a fill as in the wait after it.
TEST_F(PairBenchTest, AnInterruptionEndsIt) {
  for (const char* length : {"--num=100000000", "--num=100 --turn=10 --rest_seconds=600"}) {
    const Outcome outcome = RunCommand("timeout --foreground --preserve-status --signal=INT 3 " +
                                       std::string(PAIR_BENCH_PROGRAM) + " --db=" + directory_ +
                                       "/db --workload=readrandom --value_size=10 " + length + " " +
                                       std::string(LEVELDB_LIBRARY) + " " + copy_);
    EXPECT_EQ(130, outcome.exit_code);
    EXPECT_EQ("pair_bench: interrupted.\n", outcome.output);
    EXPECT_TRUE(fs::is_empty(directory_ + "/db"));
  }
}

TEST_F(PairBenchTest, WithoutAPathThereAreNoPools) {
  setenv("LEVELDB_PMEM_PATH", (directory_ + "/pool").c_str(), 1);
  setenv("LEVELDB_PMEM_SIZE", "16M", 1);
  ExpectFigures("--num=500 --turn=50",
                "fillrandom of 1024 bytes, 500 keys: 20 turns of 50 operations");
  unsetenv("LEVELDB_PMEM_PATH");
  unsetenv("LEVELDB_PMEM_SIZE");
}

TEST_F(PairBenchTest, HelpIsNoMistake) {
  const Outcome outcome = RunCommand(std::string(PAIR_BENCH_PROGRAM) + " --help");
  EXPECT_EQ(0, outcome.exit_code);
  EXPECT_EQ(0u, outcome.output.find("pair_bench: what one library takes")) << outcome.output;
  for (const char* word :
       {"--workload\n", "--pm_path\n", "default: fillrandom\n", "Exit code: 0"}) {
    EXPECT_NE(std::string::npos, outcome.output.find(word)) << word << "\n" << outcome.output;
  }
}

TEST_F(PairBenchTest, SaysWhatIsWrongWithTheCommandLine) {
  const std::string library = LEVELDB_LIBRARY;
  const std::string both = library + " " + copy_;
  for (const std::string& libraries : {std::string(), library, both + " " + library}) {
    ExpectFailure(2, libraries, "two libraries are to be compared, each a file; --help tells more");
  }
  ExpectFailure(2, copy_ + " " + copy_,
                copy_ + " and " + copy_ +
                    " are one file, which can be loaded only once; compare it with a copy of it");
  ExpectFailure(2, "--workload=walk " + both,
                "there is no workload \"walk\"; there are fillseq, fillrandom, readrandom, "
                "readmissing, readwhilewriting, readseq, readseq_values, readreverse, "
                "readreverse_values, seekonce, seekrandom and seekrandom_values");
  ExpectFailure(2, "--num=0 " + both, "--num is a number from 1 on");
  for (const std::string turn : {"0", "1000000000000000"}) {
    ExpectFailure(2, "--turn=" + turn + " " + both, "--turn is a number from 1 to 10000000");
  }
  ExpectFailure(2, "--operations=18446744073709551615 " + both,
                "--operations is at most 1000000000000");
  ExpectFailure(2, "--db= " + both, "--db is a directory");
  ExpectFailure(2, "--pm_size=junk " + both, "--pm_size is a number of bytes, also with K, M or G");
  ExpectFailure(2, "--value_size=2000000000 " + both, "--value_size is at most 1 GiB");
  ExpectFailure(2, "--rest_seconds=-1 " + both, "--rest_seconds is a number from 0 to 86400");
  ExpectFailure(2, "--bloom_bits=-1 " + both, "--bloom_bits is not negative");
}

TEST_F(PairBenchTest, SaysWhatIsWrongWithALibraryOrADirectory) {
  const std::string library = LEVELDB_LIBRARY;
  const std::string missing = directory_ + "/missing.so";
  ExpectFailure(1, library + " " + missing,
                "cannot load " + missing + ": " + missing +
                    ": cannot open shared object file: No such file or directory");
  ExpectFailure(1, library + " libm.so.6",
                "cannot load libm.so.6: ./libm.so.6: cannot open shared object file: No such file "
                "or directory");
  Dl_info libc;
  ASSERT_NE(0, dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &libc));
  ExpectFailure(1, library + " " + libc.dli_fname,
                std::string(libc.dli_fname) + " is no LevelDB: it has no leveldb_open");
  ExpectFailure(1, "--db=" + missing + " " + library + " " + copy_,
                "cannot make a directory in " + missing + ": No such file or directory");
}

}  // namespace
}  // namespace leveldb::bench
