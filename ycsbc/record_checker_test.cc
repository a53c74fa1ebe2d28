#include "ycsbc/record_checker.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace leveldb::ycsbc {
namespace {

// Keys are user00, user01, ..., in the order of their records.
class RecordCheckerTest : public testing::Test {
 protected:
  static constexpr uint64_t kRecords = 20;

  RecordCheckerTest() {
    for (uint64_t record = 0; record < kRecords; ++record) ledger_.Set(record, 5);
  }

  std::string Value(uint64_t record, Version version) const {
    std::string value;
    codec_.Make(record, {1, version}, &value);
    return value;
  }

  RecordChecker Checker() {
    failure_ = std::make_unique<RunFailure>();
    return RecordChecker(Records{&keys_, &codec_, &ledger_, &order_, knows_absence_},
                         failure_.get());
  }

  // Reads a record and gets `answer`, while `meanwhile` runs. Returns the error, or "".
  template <typename Meanwhile>
  std::string Read(uint64_t record, const Status& status, const std::string& answer,
                   const Meanwhile& meanwhile) {
    RecordChecker checker = Checker();
    checker.BeforeRead(record);
    meanwhile();
    const bool is_right = checker.AfterRead(record, status, answer);
    EXPECT_NE(is_right, failure_->happened());
    return failure_->sentence();
  }
  std::string Read(uint64_t record, const Status& status, const std::string& answer) {
    return Read(record, status, answer, [] {});
  }

  // Scans `count` records from `start` on and gets the records `found` in `version`.
  std::string Scan(uint64_t start, size_t count, const std::vector<uint64_t>& found,
                   Version version = 5) {
    EntryList result;
    for (const uint64_t record : found) result.Add(keys_.KeyOf(record), Value(record, version));
    return Scan(start, count, result);
  }
  std::string Scan(uint64_t start, size_t count, const EntryList& result) {
    RecordChecker checker = Checker();
    checker.BeforeScan(start, count);
    const bool is_right = checker.AfterScan(start, count, Status::OK(), result);
    EXPECT_NE(is_right, failure_->happened());
    return failure_->sentence();
  }

  static CoreWorkload TwoFields() {
    CoreWorkload workload;
    workload.field_count = 2;
    workload.field_length = 20;
    return workload;
  }

  bool knows_absence_ = true;
  const RecordKeys keys_{false, 2};
  const RecordCodec codec_{TwoFields()};
  RecordLedger ledger_{0, kRecords + 10};
  const ScanOrder order_{keys_, 0, kRecords};
  std::unique_ptr<RunFailure> failure_;
};

TEST_F(RecordCheckerTest, ARightAnswer) {
  EXPECT_EQ("", Read(3, Status::OK(), Value(3, 5)));
}

TEST_F(RecordCheckerTest, AWrongAnswerIsTold) {
  EXPECT_EQ(
      "wrong data: key user03 (record 3): it was not found, though version 5 had been "
      "acknowledged",
      Read(3, Status::NotFound("x", "y"), ""));
  EXPECT_EQ(ExitCode::kWrongData, failure_->code());
  EXPECT_EQ(
      "wrong data: key user03 (record 3): it is in version 4, though version 5 had been "
      "acknowledged",
      Read(3, Status::OK(), Value(3, 4)));
  EXPECT_EQ(
      "wrong data: key user03 (record 3): field 1 is in version 6, which nobody has "
      "written; the last is 5",
      Read(3, Status::OK(), Value(3, 6)));
  EXPECT_EQ("wrong data: key user03 (record 3): the value is cut off in field 0: it has 0 bytes",
            Read(3, Status::OK(), ""));
  EXPECT_NE("", Read(3, Status::OK(), Value(4, 5)));
}

TEST_F(RecordCheckerTest, AnErrorIsNoWrongData) {
  EXPECT_EQ("a read of key user03 failed: IO error: disk: gone",
            Read(3, Status::IOError("disk", "gone"), ""));
  EXPECT_EQ(ExitCode::kStoreFailed, failure_->code());
}

TEST_F(RecordCheckerTest, BesideAWriterBothVersionsAreRight) {
  ledger_.BeginWrite(3);
  EXPECT_EQ("", Read(3, Status::OK(), Value(3, 5)));
  EXPECT_EQ("", Read(3, Status::OK(), Value(3, 6)));
  EXPECT_NE("", Read(3, Status::OK(), Value(3, 4)));
  EXPECT_NE("", Read(3, Status::OK(), Value(3, 7)));
  ledger_.EndWrite(3, 6);
  EXPECT_NE("", Read(3, Status::OK(), Value(3, 5)));
}

TEST_F(RecordCheckerTest, WritesThatComeMeanwhileMakeTheRangeWider) {
  const auto writes = [this] {
    for (Version version = 6; version <= 8; ++version) {
      ledger_.BeginWrite(3);
      ledger_.EndWrite(3, version);
    }
    ledger_.BeginWrite(3);
  };
  for (Version version = 4; version <= 10; ++version) {
    ledger_.Set(3, 5);
    EXPECT_EQ(version >= 5 && version <= 9, Read(3, Status::OK(), Value(3, version), writes) == "")
        << version;
    ledger_.EndWrite(3, 9);
  }
}

TEST_F(RecordCheckerTest, WhatIsAbsentMayNotBeFound) {
  EXPECT_EQ("", Read(25, Status::NotFound("x", "y"), ""));
  EXPECT_NE("", Read(25, Status::OK(), Value(25, 1)));
  knows_absence_ = false;
  EXPECT_EQ("", Read(25, Status::OK(), Value(25, 1)));
}

TEST_F(RecordCheckerTest, AnUnknownVersionIsLearned) {
  ledger_.Set(3, RecordLedger::kUnknown);
  EXPECT_NE("", Read(3, Status::NotFound("x", "y"), ""));
  EXPECT_EQ("", Read(3, Status::OK(), Value(3, 77)));
  EXPECT_EQ(77u, ledger_.Get(3).version);
  EXPECT_NE("", Read(3, Status::OK(), Value(3, 76)));
}

TEST_F(RecordCheckerTest, OnesOwnRecordHasExactlyItsVersion) {
  RecordChecker checker = Checker();
  const Version version = ledger_.BeginWrite(3);
  EXPECT_TRUE(checker.OwnRead(3, version, Status::OK(), Value(3, 5)));
  EXPECT_EQ((std::vector<Version>{1, 5}), checker.versions());
  EXPECT_EQ(5u, checker.record_version());
  EXPECT_FALSE(Checker().OwnRead(3, version, Status::OK(), Value(3, 6)));
  EXPECT_FALSE(Checker().OwnRead(3, version, Status::NotFound("x", "y"), ""));
  EXPECT_TRUE(Checker().OwnRead(3, RecordLedger::kUnknown, Status::OK(), Value(3, 6)));
}

TEST_F(RecordCheckerTest, RightScans) {
  EXPECT_EQ("", Scan(3, 4, {3, 4, 5, 6}));
  EXPECT_EQ("", Scan(19, 4, {19}));
  EXPECT_EQ("", Scan(18, 2, {18, 19}));
  EXPECT_EQ("", Scan(0, 1, {0}));
}

TEST_F(RecordCheckerTest, WrongScansAreTold) {
  EXPECT_EQ("wrong data: key user05 (record 5): a scan passed it over", Scan(3, 4, {3, 4, 6, 7}));
  EXPECT_EQ("wrong data: key user03 (record 3): a scan from here did not find it",
            Scan(3, 3, {4, 5, 6}));
  EXPECT_EQ("wrong data: key user05 (record 5): a scan from key user03 ended before it",
            Scan(3, 4, {3, 4}));
  EXPECT_EQ("wrong data: key user03 (record 3): a scan from key user03 ended before it",
            Scan(3, 4, std::vector<uint64_t>()));
  EXPECT_EQ("wrong data: key user03 (record 3): a scan found it behind the key \"user04\"",
            Scan(4, 2, {4, 3}));
  EXPECT_NE("", Scan(3, 3, {3, 3, 4}));
  EXPECT_EQ("wrong data: key user03 (record 3): a scan of 2 from here found 3",
            Scan(3, 2, {3, 4, 5}));
  EXPECT_EQ(
      "wrong data: key user03 (record 3): it is in version 4, though version 5 had been "
      "acknowledged",
      Scan(3, 2, {3, 4}, 4));
  EXPECT_NE("", Scan(3, 2, {3, 4}, 6));
  EntryList foreign;
  foreign.Add(keys_.KeyOf(3), Value(3, 5));
  foreign.Add("userx", "value");
  EXPECT_EQ(
      "wrong data: key user03 (record 3): a scan from here found the key \"userx\", which "
      "nobody has written",
      Scan(3, 2, foreign));
}

TEST_F(RecordCheckerTest, WhatAKilledRunHasInsertedMayBeScanned) {
  EntryList result;
  result.Add(keys_.KeyOf(19), Value(19, 5));
  result.Add(keys_.KeyOf(25), Value(25, 1));
  result.Add(keys_.KeyOf(77), Value(77, 3));
  EXPECT_NE("", Scan(19, 3, result));
  knows_absence_ = false;
  EXPECT_EQ("", Scan(19, 3, result));
  EntryList wrong;
  wrong.Add(keys_.KeyOf(19), Value(19, 5));
  wrong.Add(keys_.KeyOf(77), Value(76, 3));
  EXPECT_NE("", Scan(19, 3, wrong));
}

TEST_F(RecordCheckerTest, NewRecordsMayLieBetweenTheKnownOnes) {
  ledger_.Set(20, 5);
  ledger_.Set(21, 5);
  EXPECT_EQ("", Scan(19, 3, {19, 20, 21}));
  EXPECT_EQ("", Scan(19, 3, {19, 21})) << "it may have come behind the scan";
  EXPECT_EQ("", Scan(20, 3, {20, 21}));
  EXPECT_NE("", Scan(20, 3, {21})) << "the start has been acknowledged";
  EXPECT_NE("", Scan(19, 3, {19, 22})) << "nobody has written it";
}

TEST(RecordLedgerTest, AWriteEndsInTheNextVersion) {
  RecordLedger ledger(100, 3);
  EXPECT_TRUE(ledger.Has(100));
  EXPECT_TRUE(ledger.Has(102));
  EXPECT_FALSE(ledger.Has(99));
  EXPECT_FALSE(ledger.Has(103));
  EXPECT_EQ(RecordLedger::kAbsent, ledger.BeginWrite(101));
  EXPECT_TRUE(ledger.Get(101).is_written_now);
  EXPECT_EQ(RecordLedger::kAbsent, ledger.Get(101).version);
  ledger.EndWrite(101, 1);
  EXPECT_FALSE(ledger.Get(101).is_written_now);
  EXPECT_EQ(1u, ledger.BeginWrite(101));
  ledger.EndWrite(101, 2);
  ledger.Learn(101, 9);
  EXPECT_EQ(2u, ledger.Get(101).version) << "it was known";
  EXPECT_EQ(0u, ledger.waits());
}

}  // namespace
}  // namespace leveldb::ycsbc
