#include "testing/corruption/judge.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {
namespace testkit {
namespace {

// #1 and #3 are values of "a", #2 is one of "b", #4 deletes "b", #5 is a value of "b" again.
class JudgeTest : public ::testing::Test {
 protected:
  JudgeTest() {
    WriteBatch batch;
    writings_.Put("a", 10, &batch);
    writings_.Put("b", 10, &batch);
    writings_.Put("a", 20, &batch);
    writings_.Delete("b", &batch);
    writings_.Put("b", 30, &batch);
    held_ = {{"a", 1}, {"a", 3}, {"b", 2}, {"b", 4}, {"b", 5}};
    batch.Iterate(&values_);
  }

  struct Values final : public WriteBatch::Handler {
    void Put(const Slice& key, const Slice& value) override {
      of_key[key.ToString()].push_back(value.ToString());
    }
    void Delete(const Slice&) override {}
    std::map<std::string, std::vector<std::string>> of_key;
  };

  Answer Value(const std::string& key, size_t which) const {
    return Judge(writings_, held_, allowance_).OfValue(key, values_.of_key.at(key)[which]);
  }
  Answer Absence(const std::string& key) const {
    return Judge(writings_, held_, allowance_).OfAbsence(key);
  }

  Writings writings_;
  std::set<KeyVersion> held_;
  Values values_;
  Allowance allowance_;
};

TEST_F(JudgeTest, KnowsEveryValue) {
  EXPECT_EQ(writings_.SequenceOf("a", values_.of_key["a"][0]), 1u);
  EXPECT_EQ(writings_.SequenceOf("a", values_.of_key["a"][1]), 3u);
  EXPECT_EQ(writings_.SequenceOf("b", values_.of_key["a"][1]), 0u);
  EXPECT_EQ(writings_.SequenceOf("a", values_.of_key["a"][1] + "x"), 0u);
  EXPECT_EQ(writings_.SequenceOf("a", "a@4:"), 0u);
}

TEST_F(JudgeTest, WithoutARuleOnlyTheNewestIsRight) {
  EXPECT_EQ(Value("a", 1), Answer::kRight);
  EXPECT_EQ(Value("a", 0), Answer::kWrong);
  EXPECT_EQ(Absence("a"), Answer::kWrong);
  EXPECT_EQ(Absence("c"), Answer::kRight);
  const Judge judge(writings_, held_, allowance_);
  EXPECT_EQ(judge.OfGet("a", Status::Corruption("x"), ""), Answer::kError);
  EXPECT_EQ(judge.OfGet("a", Status::OK(), "made up"), Answer::kWrong);
  EXPECT_EQ(judge.OfGet("a", Status::NotFound("x"), ""), Answer::kWrong);
}

TEST_F(JudgeTest, OnlyDeletedKeysMayReturn) {
  WriteBatch batch;
  writings_.Delete("b", &batch);
  EXPECT_EQ(Value("b", 1), Answer::kWrong);
  allowance_.deleted_keys_return = true;
  EXPECT_EQ(Value("b", 0), Answer::kReturned);
  EXPECT_EQ(Value("b", 1), Answer::kReturned);
  EXPECT_EQ(Absence("b"), Answer::kRight);
  EXPECT_EQ(Value("a", 0), Answer::kWrong);
  EXPECT_EQ(Absence("a"), Answer::kWrong);
}

TEST_F(JudgeTest, WhatIsIntactIsTheLeastThatARuleAllows) {
  allowance_.rule = "rule";
  EXPECT_EQ(Value("a", 0), Answer::kWrong);
  allowance_.lost = {{"a", 3}};
  EXPECT_EQ(Value("a", 0), Answer::kExcused);
  EXPECT_EQ(Absence("a"), Answer::kWrong);
  allowance_.lost = {{"a", 1}, {"a", 3}};
  EXPECT_EQ(Absence("a"), Answer::kExcused);
  // If the newest version is lost, the deletion counts, and what it deleted stays deleted.
  allowance_.lost = {{"b", 5}};
  EXPECT_EQ(Absence("b"), Answer::kExcused);
  EXPECT_EQ(Value("b", 0), Answer::kWrong);
  allowance_.lost = {{"b", 4}, {"b", 5}};
  EXPECT_EQ(Value("b", 0), Answer::kExcused);
  EXPECT_EQ(Value("a", 0), Answer::kWrong);
}

TEST_F(JudgeTest, NoRuleAllowsAValueThatWasNeverWritten) {
  allowance_.rule = "rule";
  allowance_.any_version = true;
  EXPECT_EQ(Value("a", 0), Answer::kExcused);
  EXPECT_EQ(Absence("a"), Answer::kExcused);
  EXPECT_EQ(Judge(writings_, held_, allowance_).OfValue("a", values_.of_key["b"][0]),
            Answer::kWrong);
}

TEST_F(JudgeTest, AFailedWriteMayBeThereOrNot) {
  Judge judge(writings_, held_, allowance_);
  judge.DoubtNewest("a", 1);
  EXPECT_EQ(judge.OfValue("a", values_.of_key["a"][0]), Answer::kRight);
  EXPECT_EQ(judge.OfValue("a", values_.of_key["a"][1]), Answer::kRight);
  EXPECT_EQ(judge.OfAbsence("a"), Answer::kWrong);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
