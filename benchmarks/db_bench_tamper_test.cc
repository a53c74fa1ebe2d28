// Tests that a faulty store is detected. The tests change it between two runs of the program,
// through the library's own interface.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "benchmarks/db_bench_harness.h"
#include "benchmarks/json_check.h"
#include "benchmarks/key_ledger.h"

namespace leveldb::bench {
namespace {

class TamperTest : public DbBenchTest {
 protected:
  void SetUp() override {
    DbBenchTest::SetUp();
    Succeed("--benchmarks=fillseq" + std::string(kNum));
  }

  // Every kind of read of all keys must detect the fault, with exit code 3 and these words.
  void ExpectFoundOut(const std::string& words) {
    for (const char* name : {"readrandom", "readseq", "readreverse", "seekrandom"}) {
      Fail(3, Existing(name) + " --reads=40000 --report=" + report_, words);
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

TEST_F(TamperTest, ScanOfKeysFindsWhatIsWrongWithKeysOnly) {
  Put(1234, "another value");
  Succeed(Existing("scankeys"));
  Delete(1235);
  Fail(3, Existing("scankeys"), "key 1235 was written and an iterator passed over it");
}

TEST_F(TamperTest, ScanOfKeysFindsADeletedKey) {
  const std::string value = Get(1234);
  Succeed(Existing("deleteseq,scankeys"));
  Put(1234, value);
  Fail(3, Existing("scankeys"), "key 1234 was found, though it was deleted or never written");
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

}  // namespace
}  // namespace leveldb::bench
