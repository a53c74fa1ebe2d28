#include "db/open/applied_log.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "filelog/log_writer.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/write_batch.h"
#include "util/coding.h"

namespace leveldb {
namespace {

class AppliedLogTest : public ::testing::Test {
 protected:
  static std::string Put(SequenceNumber sequence, const std::string& key,
                         const std::string& value) {
    std::string record = Header(sequence);
    record.push_back(1);
    AppendLengthPrefixed(&record, key);
    AppendLengthPrefixed(&record, value);
    return record;
  }
  static std::string Delete(SequenceNumber sequence, const std::string& key) {
    std::string record = Header(sequence);
    record.push_back(0);
    AppendLengthPrefixed(&record, key);
    return record;
  }

  bool IsApplied(const std::vector<std::string>& records) {
    WritableFile* opened = nullptr;
    EXPECT_TRUE(env_->NewWritableFile("/log", &opened).ok());
    const std::unique_ptr<WritableFile> file(opened);
    LogWriter writer(file.get());
    for (const std::string& record : records) EXPECT_TRUE(writer.AddRecord(record).ok());
    EXPECT_TRUE(file->Close().ok());
    return IsApplied();
  }

  bool IsApplied() {
    const AppliedLog log(env_.get(), BytewiseComparator(),
                         [this](const LookupKey& key, KnownVersion* found) {
                           const auto known = known_.find(key.user_key().ToString());
                           if (known != known_.end()) *found = known->second;
                           return status_;
                         });
    return log.IsApplied("/log");
  }

  void Know(const std::string& key, SequenceNumber sequence, ValueType type,
            const std::string& value) {
    known_[key] = {true, sequence, type, value};
  }

  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  std::map<std::string, KnownVersion> known_;
  Status status_;

 private:
  static std::string Header(SequenceNumber sequence) {
    std::string record;
    AppendFixed64(&record, sequence);
    AppendFixed32(&record, 1);
    return record;
  }
};

TEST_F(AppliedLogTest, WhatWasFlushedIsApplied) {
  Know("a", 5, kTypeValue, "x");
  Know("b", 6, kTypeDeletion, "");
  Know("c", 9, kTypeValue, "of a later log");
  EXPECT_TRUE(IsApplied(
      {Put(3, "a", "older"), Put(5, "a", "x"), Delete(6, "b"), Put(7, "c", "overwritten")}));
  EXPECT_TRUE(IsApplied(std::vector<std::string>()));
}

TEST_F(AppliedLogTest, WhatTheDatabaseLacksIsNot) {
  EXPECT_FALSE(IsApplied({Put(5, "a", "x")}));
  Know("a", 4, kTypeValue, "x");
  EXPECT_FALSE(IsApplied({Put(5, "a", "x")}));
  EXPECT_FALSE(IsApplied({Delete(5, "a")}));
}

// This happens if a copy of the directory was used separately.
TEST_F(AppliedLogTest, OneNumberWithTwoMeaningsIsNot) {
  Know("a", 5, kTypeValue, "x");
  EXPECT_FALSE(IsApplied({Put(5, "a", "y")}));
  EXPECT_FALSE(IsApplied({Delete(5, "a")}));
  Know("a", 5, kTypeDeletion, "");
  EXPECT_FALSE(IsApplied({Put(5, "a", "x")}));
}

TEST_F(AppliedLogTest, ValuesThatTreesReferToAreThoseOfTheirNumber) {
  Know("a", 5, kTypeValueRef, "a reference");
  EXPECT_TRUE(IsApplied({Put(5, "a", "x")}));
}

TEST_F(AppliedLogTest, ADeletionOfNothingHasNoEffect) {
  EXPECT_TRUE(IsApplied({Put(4, "a", "x"), Delete(5, "a")}));
}

TEST_F(AppliedLogTest, WhatCannotBeReadIsNotKnownToBeApplied) {
  EXPECT_FALSE(IsApplied());  // there is no file
  Know("a", 5, kTypeValue, "x");
  EXPECT_FALSE(IsApplied({"no batch"}));
  EXPECT_FALSE(IsApplied({Delete(UINT64_MAX, "a")}));
  EXPECT_FALSE(IsApplied({Delete(kMaxSequenceNumber + 1, "a")}));
  EXPECT_TRUE(IsApplied({Put(5, "a", "x")}));
  status_ = Status::Corruption("a table");
  EXPECT_FALSE(IsApplied({Put(5, "a", "x")}));
}

TEST_F(AppliedLogTest, DamageIsKeptAndATornEndIsNot) {
  Know("a", 5, kTypeValue, "x");
  ASSERT_TRUE(IsApplied({Put(5, "a", "x"), Put(6, "b", "y")}) == false);
  Know("b", 6, kTypeValue, "y");
  ASSERT_TRUE(IsApplied({Put(5, "a", "x"), Put(6, "b", "y")}));
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(env_.get(), "/log", &bytes).ok());
  ASSERT_TRUE(WriteStringToFile(env_.get(), bytes.substr(0, bytes.size() - 1), "/log").ok());
  EXPECT_TRUE(IsApplied());
  bytes[10] ^= 1;  // in the first record
  ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, "/log").ok());
  EXPECT_FALSE(IsApplied());
}

}  // namespace
}  // namespace leveldb
