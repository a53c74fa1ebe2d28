// Tests zeros in a record file: up to the end of a block they mean nothing, before a record in the
// same block they are damage.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "filelog/format.h"
#include "filelog/log_reader.h"
#include "filelog/log_writer.h"
#include "leveldb/env.h"

namespace leveldb {

namespace {

class StringFile final : public WritableFile, public SequentialFile {
 public:
  Status Append(const Slice& data) override {
    contents.append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override { return Status::OK(); }

  Status Read(size_t n, Slice* result, char* scratch) override {
    n = std::min(n, contents.size() - position_);
    contents.copy(scratch, n, position_);
    *result = Slice(scratch, n);
    position_ += n;
    return Status::OK();
  }
  Status Skip(uint64_t) override { return Status::NotSupported("not used here"); }

  std::string contents;

 private:
  size_t position_ = 0;
};

class ZerosTest : public ::testing::Test, public LogReader::Reporter {
 protected:
  ZerosTest() {
    LogWriter writer(&file_);
    for (int i = 0; i < 100; i++) {
      EXPECT_TRUE(writer.AddRecord(std::string(1000, static_cast<char>('a' + i % 26))).ok());
    }
  }

  void Corruption(size_t, const Status& reason) override { reports_.push_back(reason.ToString()); }

  void Zero(size_t begin, size_t size) { file_.contents.replace(begin, size, size, '\0'); }

  size_t CountRecords() {
    LogReader reader(&file_, this, true);
    size_t records = 0;
    Slice record;
    std::string scratch;
    while (reader.ReadRecord(&record, &scratch)) records++;
    tail_ = reader.tail();
    return records;
  }

  static constexpr size_t kRecord = kLogHeaderSize + 1000;

  StringFile file_;
  std::vector<std::string> reports_;
  LogReader::Tail tail_ = LogReader::Tail::kUnreadable;
};

TEST_F(ZerosTest, InTheMiddleOfABlockAreReported) {
  Zero(2 * kRecord, kLogHeaderSize);
  EXPECT_LT(CountRecords(), 100u);
  ASSERT_GE(reports_.size(), 1u);
  EXPECT_EQ(reports_[0], "Corruption: log at offset 2014: zeros where a record should be");
  EXPECT_EQ(tail_, LogReader::Tail::kComplete);
}

// The format allows such zeros: blocks used to be allocated in advance.
TEST_F(ZerosTest, ToTheEndOfABlockAreNothing) {
  const size_t in_first_block = kLogBlockSize / kRecord;
  Zero((in_first_block - 2) * kRecord, kLogBlockSize - (in_first_block - 2) * kRecord);
  EXPECT_LT(CountRecords(), 100u);
  for (const std::string& report : reports_) {
    EXPECT_NE(report.find("the beginning of a record is missing"), std::string::npos) << report;
  }
}

TEST_F(ZerosTest, AtTheEndAreNothing) {
  Zero(98 * kRecord + 4 * kLogHeaderSize, file_.contents.size());
  file_.contents.append(2 * kLogBlockSize, '\0');
  EXPECT_LE(CountRecords(), 98u);
  EXPECT_TRUE(reports_.empty());
}

}  // namespace

}  // namespace leveldb
