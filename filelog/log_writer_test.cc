// Tests how LogWriter passes records to a file. log_test.cc tests the format.

#include "filelog/log_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "leveldb/env.h"

namespace leveldb {

namespace {

// Counts calls and fails the Append number `fail_at`, where 1 is the first.
class CountingFile final : public WritableFile {
 public:
  Status Append(const Slice& data) override {
    appends++;
    longest_append = std::max(longest_append, data.size());
    return appends == fail_at ? Status::IOError("disk full") : Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override {
    flushes++;
    return Status::OK();
  }
  Status Sync() override { return Status::OK(); }

  int appends = 0;
  int flushes = 0;
  size_t longest_append = 0;
  int fail_at = 0;
};

constexpr size_t kHuge = 10 << 20;

TEST(LogWriter, ARecordIsOneAppendAndOneFlush) {
  for (const size_t size : {size_t{0}, size_t{1000}, size_t{100000}}) {
    CountingFile file;
    LogWriter writer(&file);
    for (int i = 1; i <= 100; i++) {
      ASSERT_TRUE(writer.AddRecord(std::string(size, 'x')).ok());
      EXPECT_EQ(file.appends, i) << size;
      EXPECT_EQ(file.flushes, i) << size;
    }
  }
}

TEST(LogWriter, AHugeRecordIsPassedOnInPieces) {
  CountingFile file;
  LogWriter writer(&file);
  ASSERT_TRUE(writer.AddRecord(std::string(kHuge, 'x')).ok());
  EXPECT_LT(file.longest_append, size_t{1} << 20);
  EXPECT_LT(file.appends, 100);
  EXPECT_EQ(file.flushes, 1);
}

TEST(LogWriter, AFailedAppendIsReturned) {
  CountingFile file;
  file.fail_at = 2;
  LogWriter writer(&file);
  EXPECT_TRUE(writer.AddRecord("a").ok());
  EXPECT_TRUE(writer.AddRecord("b").IsIOError());
}

TEST(LogWriter, AFailureWithinARecordEndsIt) {
  CountingFile file;
  file.fail_at = 3;
  LogWriter writer(&file);
  EXPECT_TRUE(writer.AddRecord(std::string(kHuge, 'x')).IsIOError());
  EXPECT_EQ(file.appends, 3);
  EXPECT_EQ(file.flushes, 0);
}

}  // namespace

}  // namespace leveldb
