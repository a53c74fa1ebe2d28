// Tests writer and reader of record files against each other, and the reader against damaged files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filelog/format.h"
#include "filelog/log_reader.h"
#include "filelog/log_writer.h"
#include "leveldb/env.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

using Tail = LogReader::Tail;

class StringSink final : public WritableFile {
 public:
  Status Append(const Slice& data) override {
    contents.append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override { return Status::OK(); }

  std::string contents;
};

// Reads a string, at most `max_read` bytes at a time; fails from `fail_at` on.
class StringSource final : public SequentialFile {
 public:
  explicit StringSource(std::string contents) : contents_(std::move(contents)) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    if (position_ >= fail_at) return Status::IOError("bad sector");
    n = std::min({n, max_read, contents_.size() - position_});
    contents_.copy(scratch, n, position_);
    *result = Slice(scratch, n);
    position_ += n;
    return Status::OK();
  }
  Status Skip(uint64_t n) override { return Status::NotSupported("not used here"); }

  size_t max_read = SIZE_MAX;
  size_t fail_at = SIZE_MAX;

 private:
  const std::string contents_;
  size_t position_ = 0;
};

class Reports final : public LogReader::Reporter {
 public:
  void Corruption(size_t bytes, const Status& reason) override {
    dropped += bytes;
    reasons.push_back(reason.ToString());
  }

  bool Mentions(const std::string& text) const {
    return std::any_of(reasons.begin(), reasons.end(), [&](const std::string& reason) {
      return reason.find(text) != std::string::npos;
    });
  }

  size_t dropped = 0;
  std::vector<std::string> reasons;
};

// The result of reading a file.
struct Outcome {
  std::vector<std::string> records;
  std::vector<uint64_t> offsets;
  Reports reports;
  Tail tail = Tail::kComplete;
  Status tail_reason;
  uint64_t valid_end = 0;
  uint64_t tail_bytes = 0;
};

Outcome ReadAll(StringSource* source, bool checksum = true) {
  Outcome outcome;
  LogReader reader(source, &outcome.reports, checksum);
  EXPECT_EQ(reader.LastRecordOffset(), 0u);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    outcome.records.push_back(record.ToString());
    outcome.offsets.push_back(reader.LastRecordOffset());
    EXPECT_GT(reader.ValidEnd(), reader.LastRecordOffset());
  }
  EXPECT_FALSE(reader.ReadRecord(&record, &scratch));  // the end is final
  outcome.tail = reader.tail();
  outcome.tail_reason = reader.tail_reason();
  outcome.valid_end = reader.ValidEnd();
  outcome.tail_bytes = reader.TailBytes();
  return outcome;
}

Outcome ReadAll(const std::string& contents, bool checksum = true) {
  StringSource source(contents);
  return ReadAll(&source, checksum);
}

std::string WriteAll(const std::vector<std::string>& records) {
  StringSink sink;
  LogWriter writer(&sink);
  for (const std::string& record : records) EXPECT_TRUE(writer.AddRecord(record).ok());
  return sink.contents;
}

// Returns a fragment with a right checksum, whatever its type.
std::string FragmentOf(uint8_t type, const std::string& payload) {
  const std::string checked = std::string(1, static_cast<char>(type)) + payload;
  std::string fragment;
  AppendFixed32(&fragment, crc32c::Mask(crc32c::Value(checked.data(), checked.size())));
  fragment.push_back(static_cast<char>(payload.size() & 0xff));
  fragment.push_back(static_cast<char>(payload.size() >> 8));
  return fragment + checked;
}

std::string Padded(std::string contents) {
  contents.resize((contents.size() + kLogBlockSize - 1) / kLogBlockSize * kLogBlockSize);
  return contents;
}

std::string Bytes(size_t n, char c) {
  return std::string(n, c);
}

constexpr uint8_t kFull = 1;
constexpr uint8_t kFirst = 2;
constexpr uint8_t kMiddle = 3;
constexpr uint8_t kLast = 4;

// ---- the format ----

TEST(Log, TheBytesOfASmallRecord) {
  // crc32c("\x01hello") masked, length 5, type 1.
  const std::string contents = WriteAll({"hello"});
  EXPECT_EQ(contents, FragmentOf(kFull, "hello"));
  EXPECT_EQ(contents.size(), kLogHeaderSize + 5);
}

TEST(Log, ALongRecordIsCutAtBlocks) {
  const std::string big(2 * kLogBlockSize, 'x');
  const size_t payload = kLogBlockSize - kLogHeaderSize;
  const std::string expected = FragmentOf(kFirst, big.substr(0, payload)) +
                               FragmentOf(kMiddle, big.substr(payload, payload)) +
                               FragmentOf(kLast, big.substr(2 * payload));
  EXPECT_EQ(WriteAll({big}), expected);
}

TEST(Log, ShortBlockEndsArePadded) {
  for (size_t left = 0; left < kLogHeaderSize; left++) {
    const std::string first(kLogBlockSize - kLogHeaderSize - left, 'a');
    const std::string contents = WriteAll({first, "b"});
    EXPECT_EQ(contents, Padded(FragmentOf(kFull, first)) + FragmentOf(kFull, "b"));
  }
}

TEST(Log, SevenBytesLeftHoldAnEmptyFragment) {
  const std::string first(kLogBlockSize - 2 * kLogHeaderSize, 'a');
  EXPECT_EQ(WriteAll({first, "b"}),
            FragmentOf(kFull, first) + FragmentOf(kFirst, "") + FragmentOf(kLast, "b"));
  EXPECT_EQ(WriteAll({first, ""}), FragmentOf(kFull, first) + FragmentOf(kFull, ""));
}

TEST(Log, AnExistingFileIsContinued) {
  for (const size_t size : {size_t{0}, size_t{5}, kLogBlockSize - 20, kLogBlockSize + 100}) {
    StringSink sink;
    LogWriter first(&sink);
    ASSERT_TRUE(first.AddRecord(Bytes(size, 'a')).ok());
    LogWriter second(&sink, sink.contents.size());
    ASSERT_TRUE(second.AddRecord("more").ok());
    EXPECT_EQ(sink.contents, WriteAll({Bytes(size, 'a'), "more"}));
  }
}

// ---- round trips ----

TEST(Log, AnEmptyFileHasNoRecords) {
  const Outcome outcome = ReadAll(std::string());
  EXPECT_TRUE(outcome.records.empty());
  EXPECT_EQ(outcome.tail, Tail::kComplete);
  EXPECT_EQ(outcome.valid_end, 0u);
}

TEST(Log, RecordsOfAllSizesComeBack) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    std::vector<std::string> records;
    for (int i = 0; i < 200; i++) {
      const size_t size = random.OneIn(10)  ? random.Uniform(400000)
                          : random.OneIn(5) ? kLogBlockSize - random.Uniform(30)
                                            : random.Uniform(2000);
      records.push_back(Bytes(size, static_cast<char>('a' + i % 26)));
    }
    const std::string contents = WriteAll(records);
    StringSource source(contents);
    if (seed % 2 == 0) source.max_read = 1 + random.Uniform(5000);
    const Outcome outcome = ReadAll(&source);
    EXPECT_EQ(outcome.records, records);
    EXPECT_TRUE(outcome.reports.reasons.empty());
    EXPECT_EQ(outcome.tail, Tail::kComplete);
    EXPECT_EQ(outcome.valid_end, contents.size());
    EXPECT_EQ(outcome.tail_bytes, 0u);
  }
}

TEST(Log, OffsetsTellWhereRecordsBegin) {
  const std::vector<std::string> records = {"a", Bytes(40000, 'b'), "", Bytes(30000, 'c')};
  const Outcome outcome = ReadAll(WriteAll(records));
  const uint64_t second = kLogHeaderSize + 1;
  const uint64_t third = second + 40000 + 2 * kLogHeaderSize;
  EXPECT_EQ(outcome.offsets, (std::vector<uint64_t>{0, second, third, third + kLogHeaderSize}));
}

// ---- tails: what a crash leaves is not an error ----

TEST(Log, AFileCutAnywhereGivesTheWholeRecordsInIt) {
  const std::vector<std::string> records = {"first", Bytes(40000, 'b'), "",
                                            "third", Bytes(26000, 'd'), "last"};
  const std::string contents = WriteAll(records);
  const Outcome whole = ReadAll(contents);
  for (size_t size = 0; size <= contents.size();
       size += (size % kLogBlockSize < 60 || size > contents.size() - 60) ? 1 : 37) {
    SCOPED_TRACE(testing::Message() << "cut to " << size);
    const Outcome outcome = ReadAll(contents.substr(0, size));
    size_t count = 0;
    uint64_t end = 0;
    while (count < records.size()) {
      const uint64_t next_end =
          count + 1 < records.size() ? whole.offsets[count + 1] : contents.size();
      if (next_end > size) break;
      end = next_end;
      count++;
    }
    EXPECT_EQ(outcome.records, std::vector<std::string>(records.begin(), records.begin() + count));
    EXPECT_TRUE(outcome.reports.reasons.empty());
    EXPECT_EQ(outcome.tail, end == size ? Tail::kComplete : Tail::kTorn);
    EXPECT_TRUE(outcome.tail_reason.ok());
    EXPECT_EQ(outcome.valid_end, end);
    EXPECT_EQ(outcome.tail_bytes, size - end);
  }
}

TEST(Log, GarbageUpToTheEndIsATail) {
  for (uint64_t seed = 1; seed <= 100; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::string good = WriteAll({"one", Bytes(random.Uniform(60000), 'x')});
    std::string contents = good;
    for (size_t n = 1 + random.Uniform(80000); n > 0; n--) {
      contents.push_back(static_cast<char>(random.Next()));
    }
    const Outcome outcome = ReadAll(contents);
    EXPECT_EQ(outcome.records.size(), 2u);
    EXPECT_TRUE(outcome.reports.reasons.empty());
    EXPECT_NE(outcome.tail, Tail::kComplete);
    EXPECT_EQ(outcome.tail == Tail::kGarbage, outcome.tail_reason.IsCorruption());
    EXPECT_EQ(outcome.valid_end, good.size());
    EXPECT_EQ(outcome.tail_bytes, contents.size() - good.size());
  }
}

TEST(Log, ADamagedLastRecordIsATail) {
  std::string contents = WriteAll({"first", Bytes(70000, 'x')});
  contents[contents.size() - 10] ^= 1;
  const Outcome outcome = ReadAll(contents);
  EXPECT_EQ(outcome.records, std::vector<std::string>{"first"});
  EXPECT_TRUE(outcome.reports.reasons.empty());
  EXPECT_EQ(outcome.tail, Tail::kGarbage);
  EXPECT_NE(outcome.tail_reason.ToString().find("checksum mismatch"), std::string::npos);
  EXPECT_EQ(outcome.valid_end, kLogHeaderSize + 5);
}

TEST(Log, ZerosAfterTheLastRecordAreNothing) {
  const std::string good = WriteAll({"first", "second"});
  for (const size_t zeros : {size_t{7}, size_t{1000}, 3 * kLogBlockSize}) {
    const Outcome outcome = ReadAll(good + std::string(zeros, '\0'));
    EXPECT_EQ(outcome.records.size(), 2u);
    EXPECT_TRUE(outcome.reports.reasons.empty());
    EXPECT_EQ(outcome.tail, Tail::kComplete);
    EXPECT_EQ(outcome.valid_end, good.size());
    EXPECT_EQ(outcome.tail_bytes, zeros);
  }
}

TEST(Log, AnUnfinishedRecordBeforeZerosIsATail) {
  const std::string contents =
      Padded(FragmentOf(kFull, "good") + FragmentOf(kFirst, "unfinished")) + Bytes(100, '\0');
  const Outcome outcome = ReadAll(contents);
  EXPECT_EQ(outcome.records, std::vector<std::string>{"good"});
  EXPECT_TRUE(outcome.reports.reasons.empty());
  EXPECT_EQ(outcome.tail, Tail::kGarbage);
}

// ---- corruption: damage with something valid after it is reported ----

TEST(Log, AChecksumMismatchDropsTheRestOfTheBlock) {
  std::string contents =
      WriteAll({"a", "b", Bytes(kLogBlockSize - 200, 'c'), Bytes(300, 'd'), "next block", "last"});
  contents[kLogHeaderSize + 1 + kLogHeaderSize] ^= 0x40;  // in "b"
  const Outcome outcome = ReadAll(contents);
  // Record d crosses into the second block; its second half has lost its beginning.
  EXPECT_EQ(outcome.records, (std::vector<std::string>{"a", "next block", "last"}));
  EXPECT_TRUE(outcome.reports.Mentions("log at offset 8: checksum mismatch"));
  EXPECT_TRUE(outcome.reports.Mentions("the beginning of a record is missing"));
  EXPECT_GE(outcome.reports.dropped, kLogBlockSize - 8);
  EXPECT_EQ(outcome.tail, Tail::kComplete);
}

TEST(Log, DamageInTheLastBlockWithRecordsBehindItIsCorruption) {
  const std::vector<std::string> records = {"first", "second", "third"};
  const std::string good = WriteAll(records);
  const size_t second = kLogHeaderSize + 5;
  // Damages every byte of the second record: checksum, length, type, payload.
  for (size_t i = second; i < second + kLogHeaderSize + 6; i++) {
    for (const char flip : {'\x01', '\x40', '\x80'}) {
      SCOPED_TRACE(testing::Message() << "byte " << i);
      std::string contents = good;
      contents[i] ^= flip;
      const Outcome outcome = ReadAll(contents);
      EXPECT_EQ(outcome.records, std::vector<std::string>{"first"});
      ASSERT_EQ(outcome.reports.reasons.size(), 1u);
      EXPECT_TRUE(outcome.reports.Mentions("log at offset 12: "));
      EXPECT_EQ(outcome.reports.dropped, good.size() - second);
    }
  }
}

TEST(Log, ALengthBeyondTheBlockIsBad) {
  std::string contents = Padded(WriteAll({"first"})) + WriteAll({"second"});
  contents[4] = '\xff';
  contents[5] = '\xff';
  const Outcome outcome = ReadAll(contents);
  EXPECT_EQ(outcome.records, std::vector<std::string>{"second"});
  EXPECT_TRUE(outcome.reports.Mentions("log at offset 0: a length reaches beyond its block"));
  EXPECT_EQ(outcome.reports.dropped, kLogBlockSize);
}

TEST(Log, AnUnknownTypeIsReported) {
  for (const int type : {0, 5, 128, 255}) {
    const Outcome outcome =
        ReadAll(FragmentOf(static_cast<uint8_t>(type), "what") + FragmentOf(kFull, "good"));
    EXPECT_EQ(outcome.records, std::vector<std::string>{"good"});
    EXPECT_TRUE(outcome.reports.Mentions("log at offset 0: unknown fragment type"));
    EXPECT_EQ(outcome.reports.dropped, 4u);
  }
}

TEST(Log, AnUnknownTypeInsideARecordDropsTheRecord) {
  const Outcome outcome =
      ReadAll(FragmentOf(kFirst, "abc") + FragmentOf(9, "xy") + FragmentOf(kLast, "def"));
  EXPECT_TRUE(outcome.records.empty());
  EXPECT_EQ(outcome.reports.dropped, 3u + 2 + 3);
}

TEST(Log, FragmentsWithoutABeginningAreReported) {
  for (const uint8_t type : {kMiddle, kLast}) {
    const Outcome outcome = ReadAll(FragmentOf(type, "lost") + FragmentOf(kFull, "good"));
    EXPECT_EQ(outcome.records, std::vector<std::string>{"good"});
    EXPECT_TRUE(outcome.reports.Mentions("the beginning of a record is missing"));
    EXPECT_EQ(outcome.reports.dropped, 4u);
  }
}

TEST(Log, AnUnfinishedRecordIsReportedWhenAnotherBegins) {
  for (const bool long_record : {false, true}) {
    const std::string next = long_record ? FragmentOf(kFirst, "next") + FragmentOf(kLast, "!")
                                         : FragmentOf(kFull, "next!");
    const Outcome outcome =
        ReadAll(FragmentOf(kFirst, "unfi") + FragmentOf(kMiddle, "nished") + next);
    EXPECT_EQ(outcome.records, std::vector<std::string>{"next!"});
    EXPECT_TRUE(outcome.reports.Mentions("log at offset 0: the end of a record is missing"));
    EXPECT_EQ(outcome.reports.dropped, 10u);
  }
}

TEST(Log, AnEmptyBeginningIsForgiven) {
  for (const bool long_record : {false, true}) {
    const std::string next = long_record ? FragmentOf(kFirst, "next") + FragmentOf(kLast, "!")
                                         : FragmentOf(kFull, "next!");
    const Outcome outcome = ReadAll(FragmentOf(kFirst, "") + next);
    EXPECT_EQ(outcome.records, std::vector<std::string>{"next!"});
    EXPECT_EQ(outcome.offsets, std::vector<uint64_t>{kLogHeaderSize});
    EXPECT_TRUE(outcome.reports.reasons.empty());
  }
}

TEST(Log, AnUnwrittenAreaIsSkippedInSilence) {
  const Outcome outcome = ReadAll(Padded(FragmentOf(kFull, "a")) + FragmentOf(kFull, "b"));
  EXPECT_EQ(outcome.records, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(outcome.reports.reasons.empty());
}

TEST(Log, AnUnwrittenAreaInsideARecordIsReported) {
  const Outcome outcome = ReadAll(Padded(FragmentOf(kFirst, "begin")) + FragmentOf(kLast, "end") +
                                  FragmentOf(kFull, "good"));
  EXPECT_EQ(outcome.records, std::vector<std::string>{"good"});
  EXPECT_TRUE(outcome.reports.Mentions("the end of a record is missing"));
  EXPECT_TRUE(outcome.reports.Mentions("the beginning of a record is missing"));
}

TEST(Log, AReadErrorIsReportedAndEndsTheFile) {
  std::vector<std::string> records;
  for (int i = 0; i < 100; i++) records.push_back(Bytes(1000, 'x'));
  StringSource source(WriteAll(records));
  source.fail_at = 2 * kLogBlockSize;
  const Outcome outcome = ReadAll(&source);
  EXPECT_EQ(outcome.records.size(), 65u);
  EXPECT_EQ(outcome.reports.reasons,
            std::vector<std::string>{Status::IOError("bad sector").ToString()});
  EXPECT_EQ(outcome.tail, Tail::kUnreadable);
}

TEST(Log, ChecksumsAreVerifiedOnDemandOnly) {
  std::string contents = WriteAll({"first", "second"});
  contents[kLogHeaderSize] = 'F';
  const Outcome outcome = ReadAll(contents, false);
  EXPECT_EQ(outcome.records, (std::vector<std::string>{"First", "second"}));
  EXPECT_TRUE(outcome.reports.reasons.empty());
}

TEST(Log, NoReporterIsNeeded) {
  std::string contents = Padded(WriteAll({"first"})) + WriteAll({"second"});
  contents[kLogHeaderSize] ^= 1;
  StringSource source(contents);
  LogReader reader(&source, nullptr, true);
  Slice record;
  std::string scratch;
  ASSERT_TRUE(reader.ReadRecord(&record, &scratch));
  EXPECT_EQ(record.ToString(), "second");
}

// Whatever happens to a file: the records that are read were written, in the same order, and every
// record before the first damage is among them.
TEST(Log, RandomDamageNeverInventsRecords) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    std::vector<std::string> records;
    for (uint64_t i = 0; i < 60; i++) {
      const size_t size = random.OneIn(8) ? random.Uniform(70000) : random.Uniform(1000);
      records.push_back(NumberToString(i) + ":" + Bytes(size, static_cast<char>('a' + i % 26)));
    }
    std::string contents = WriteAll(records);
    const Outcome whole = ReadAll(contents);
    ASSERT_EQ(whole.records, records);

    size_t first_damage = contents.size();
    for (uint64_t n = 1 + random.Uniform(4); n > 0; n--) {
      const size_t at = random.Uniform(contents.size());
      first_damage = std::min(first_damage, at);
      switch (random.Uniform(4)) {
        case 0:
          contents[at] ^= static_cast<char>(1 + random.Uniform(255));
          break;
        case 1: {
          const size_t end = std::min(contents.size(), at + 1 + random.Uniform(5000));
          std::fill(contents.begin() + at, contents.begin() + end, '\0');
          break;
        }
        case 2:
          contents.erase(at, random.Uniform(2000));
          break;
        default:
          contents.insert(at, random.Uniform(50), static_cast<char>(random.Next()));
      }
      if (contents.empty()) contents = "x";
    }
    StringSource source(contents);
    const Outcome outcome = ReadAll(&source);
    size_t next = 0;
    for (const std::string& record : outcome.records) {
      const auto found = std::find(records.begin() + next, records.end(), record);
      ASSERT_NE(found, records.end());
      next = static_cast<size_t>(found - records.begin()) + 1;
    }
    size_t intact = 0;
    while (intact + 1 < records.size() && whole.offsets[intact + 1] <= first_damage) intact++;
    ASSERT_GE(outcome.records.size(), intact);
    for (size_t i = 0; i < intact; i++) ASSERT_EQ(outcome.records[i], records[i]);
  }
}

}  // namespace

}  // namespace leveldb
