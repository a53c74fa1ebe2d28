#include "testing/vm/numbered_writes.h"

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "leveldb/write_batch.h"
#include "testing/seed.h"

namespace leveldb {
namespace testkit {

namespace {

// The contents of a database after writes.
class Table : public WriteBatch::Handler {
 public:
  void Put(const Slice& key, const Slice& value) override {
    entries_[key.ToString()] = value.ToString();
  }
  void Delete(const Slice& key) override { entries_.erase(key.ToString()); }

  void Apply(const NumberedWrites& writes, uint64_t number) {
    WriteBatch batch = writes.Batch(number);
    ASSERT_TRUE(batch.Iterate(this).ok());
  }

  std::map<std::string, std::string>& entries() { return entries_; }

 private:
  std::map<std::string, std::string> entries_;
};

constexpr int kThread = 2;
constexpr uint64_t kCount = 3000;

class NumberedWritesTest : public testing::Test {
 protected:
  NumberedWritesTest() : seed_(AnnouncedSeed()), writes_(seed_, kThread) {}

  void WriteUpTo(uint64_t number) {
    for (uint64_t n = 1; n <= number; ++n) table_.Apply(writes_, n);
  }

  // Returns the number that the table's entries are found to be at, or the report.
  std::string Verify(uint64_t durable, uint64_t begun) {
    NumberedWrites writes(seed_, kThread);
    std::string report;
    for (const auto& [key, value] : table_.entries()) {
      EXPECT_TRUE(writes.IsOwnKey(key)) << key;
      report += writes.Found(key, value, begun);
    }
    uint64_t number = 0;
    writes.FindNumber(durable, begun, &number, &report);
    return report.empty() ? std::to_string(number) : report;
  }

  const uint64_t seed_;
  NumberedWrites writes_;
  Table table_;
};

TEST_F(NumberedWritesTest, AStateSaysItsNumber) {
  WriteUpTo(kCount);
  EXPECT_EQ(Verify(kCount - 20, kCount), std::to_string(kCount));
  EXPECT_EQ(Verify(0, kCount), std::to_string(kCount));
}

TEST_F(NumberedWritesTest, WhatWasNotAcknowledgedMayBeMissing) {
  WriteUpTo(kCount - 10);
  const std::string found = Verify(kCount - 20, kCount);
  EXPECT_TRUE(found == std::to_string(kCount - 10) || found == std::to_string(kCount - 9)) << found;
}

TEST_F(NumberedWritesTest, AnAcknowledgedWriteThatIsMissingIsLost) {
  WriteUpTo(kCount - 30);
  EXPECT_NE(Verify(kCount - 1, kCount).find("lost"), std::string::npos);
}

TEST_F(NumberedWritesTest, AGapBeforeLaterWritesIsNoticed) {
  WriteUpTo(kCount - 30);
  for (uint64_t n = kCount - 20; n <= kCount; ++n) table_.Apply(writes_, n);
  EXPECT_NE(Verify(kCount - 30, kCount).find(": "), std::string::npos);
}

TEST_F(NumberedWritesTest, AKeyThatComesBackIsNoticed) {
  Table older;
  for (uint64_t n = 1; n <= kCount - 500; ++n) older.Apply(writes_, n);
  WriteUpTo(kCount);
  for (const auto& [key, value] : older.entries()) {
    if (table_.entries().count(key) == 0) {
      table_.entries()[key] = value;
      EXPECT_EQ(Verify(kCount, kCount).substr(0, 5), "wrong");
      return;
    }
  }
  FAIL() << "no key was deleted in 500 writes";
}

TEST_F(NumberedWritesTest, AValueThatWasDamagedIsNoticed) {
  WriteUpTo(kCount);
  std::string& value = table_.entries().begin()->second;
  value.back() = static_cast<char>(value.back() ^ 1);
  EXPECT_EQ(Verify(kCount, kCount).substr(0, 5), "wrong");
}

TEST_F(NumberedWritesTest, AWriteThatWasNeverBegunIsNoticed) {
  WriteUpTo(kCount + 20);
  EXPECT_EQ(Verify(kCount - 1, kCount).substr(0, 5), "wrong");
}

}  // namespace

}  // namespace testkit
}  // namespace leveldb
