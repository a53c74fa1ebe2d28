#include "ycsbc/record_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leveldb::ycsbc {
namespace {

CoreWorkload Shape(uint64_t fields, uint64_t length,
                   Distribution distribution = Distribution::kConstant) {
  CoreWorkload workload;
  workload.field_count = fields;
  workload.field_length = length;
  workload.field_length_distribution = distribution;
  return workload;
}

std::string Value(const RecordCodec& codec, uint64_t record, const std::vector<Version>& versions) {
  std::string value;
  codec.Make(record, versions, &value);
  return value;
}

// Returns the error of a value, or "".
std::string WrongWith(const RecordCodec& codec, uint64_t record, const std::string& value) {
  std::vector<Version> versions;
  std::string wrong;
  return codec.Check(record, value, &versions, &wrong) ? "" : wrong;
}

TEST(RecordCodecTest, WhatWasMadeIsRight) {
  for (const Distribution distribution :
       {Distribution::kConstant, Distribution::kUniform, Distribution::kZipfian}) {
    for (const uint64_t fields : {1, 2, 10, 300}) {
      for (const uint64_t length : {8, 9, 100, 5000}) {
        const RecordCodec codec(Shape(fields, length, distribution));
        for (const uint64_t record : {uint64_t{0}, uint64_t{1}, uint64_t{3'999'999'999}}) {
          std::vector<Version> versions(fields, 1);
          versions.back() = 7;
          const std::string value = Value(codec, record, versions);
          EXPECT_LE(value.size(), codec.value_size_max());
          if (distribution == Distribution::kConstant) {
            EXPECT_EQ(fields * length, value.size());
          }
          std::vector<Version> found;
          std::string wrong;
          ASSERT_TRUE(codec.Check(record, value, &found, &wrong)) << wrong;
          EXPECT_EQ(versions, found);
        }
      }
    }
  }
}

TEST(RecordCodecTest, FieldsLongerThanTheText) {
  const RecordCodec codec(Shape(1, 3'000'000));
  std::string value = Value(codec, 5, {2});
  EXPECT_EQ("", WrongWith(codec, 5, value));
  value[2'999'999] ^= 1;
  EXPECT_NE(std::string::npos, WrongWith(codec, 5, value).find("in byte 2999999"));
}

TEST(RecordCodecTest, EveryBitCounts) {
  for (const Distribution distribution : {Distribution::kConstant, Distribution::kUniform}) {
    const RecordCodec codec(Shape(4, 20, distribution));
    const std::string right = Value(codec, 42, {3, 1, 2, 1});
    for (size_t i = 0; i < right.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string value = right;
        value[i] = static_cast<char>(value[i] ^ 1 << bit);
        EXPECT_NE("", WrongWith(codec, 42, value)) << i << " " << bit;
      }
    }
  }
}

TEST(RecordCodecTest, EveryLengthCounts) {
  for (const Distribution distribution : {Distribution::kConstant, Distribution::kZipfian}) {
    const RecordCodec codec(Shape(4, 20, distribution));
    const std::string right = Value(codec, 42, {3, 1, 2, 1});
    for (size_t size = 0; size < right.size(); ++size) {
      EXPECT_NE("", WrongWith(codec, 42, right.substr(0, size))) << size;
    }
    EXPECT_NE("", WrongWith(codec, 42, right + "x"));
    EXPECT_NE("", WrongWith(codec, 42, right + right));
  }
}

TEST(RecordCodecTest, WordsSayFieldAndWhatWasFound) {
  const RecordCodec codec(Shape(3, 20));
  const std::string right = Value(codec, 42, {1, 2, 1});
  std::string value = right;
  value[31] = static_cast<char>(value[31] + 1);
  char expected[80];
  std::snprintf(expected, sizeof(expected),
                "field 1 has 0x%02x in byte 11, where version 2 wrote 0x%02x", value[31],
                right[31]);
  EXPECT_EQ(expected, WrongWith(codec, 42, value));
  value = right;
  value[47] = static_cast<char>(value[47] ^ 0x40);
  EXPECT_EQ(0u, WrongWith(codec, 42, value).find("field 2 has the stamp 0x"));
  EXPECT_EQ("the value is cut off in field 2: it has 59 bytes",
            WrongWith(codec, 42, right.substr(0, 59)));
  EXPECT_EQ("the value goes on after its last field: it has 61 bytes instead of 60",
            WrongWith(codec, 42, right + "x"));
}

TEST(RecordCodecTest, AnotherRecordsValueIsWrong) {
  const RecordCodec codec(Shape(3, 20));
  EXPECT_NE("", WrongWith(codec, 41, Value(codec, 42, {1, 1, 1})));
}

// Combines parts of two states that were both correct: field 0 of the newer one, the rest of the
// older one.
TEST(RecordCodecTest, ATornValueIsWrong) {
  const RecordCodec codec(Shape(3, 20));
  const std::string older = Value(codec, 42, {1, 2, 1});
  const std::string newer = Value(codec, 42, {3, 2, 1});
  EXPECT_EQ("", WrongWith(codec, 42, older));
  EXPECT_EQ("", WrongWith(codec, 42, newer));
  for (const size_t cut : {20, 40}) {
    EXPECT_NE("", WrongWith(codec, 42, newer.substr(0, cut) + older.substr(cut)));
    EXPECT_NE("", WrongWith(codec, 42, older.substr(0, cut) + newer.substr(cut)));
  }
}

TEST(RecordCodecTest, EightBytesAreEnoughToBeChecked) {
  const RecordCodec codec(Shape(1, 8));
  EXPECT_NE(Value(codec, 1, {1}), Value(codec, 2, {1}));
  EXPECT_NE("", WrongWith(codec, 2, Value(codec, 1, {1})));
}

}  // namespace
}  // namespace leveldb::ycsbc
