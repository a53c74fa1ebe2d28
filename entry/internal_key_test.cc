#include "entry/internal_key.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

std::string Key(const std::string& user_key, SequenceNumber sequence, ValueType type = kTypeValue) {
  std::string encoded;
  AppendInternalKey(&encoded, user_key, sequence, type);
  return encoded;
}

TEST(InternalKeyTest, PartsSurviveEncoding) {
  for (const std::string& user_key : {std::string(), std::string("k"), std::string(300, '\0')}) {
    for (const SequenceNumber sequence : {uint64_t{0}, uint64_t{255}, kMaxSequenceNumber}) {
      for (const ValueType type : {kTypeDeletion, kTypeValue, kTypeValueRef}) {
        const std::string encoded = Key(user_key, sequence, type);
        ParsedKey parsed;
        ASSERT_TRUE(ParseInternalKey(encoded, &parsed));
        EXPECT_EQ(user_key, parsed.user_key.ToString());
        EXPECT_EQ(sequence, parsed.sequence);
        EXPECT_EQ(type, parsed.type);
      }
    }
  }
}

TEST(InternalKeyTest, RefusesWhatNoKeyConsistsOf) {
  ParsedKey parsed;
  EXPECT_FALSE(ParseInternalKey("", &parsed));
  EXPECT_FALSE(ParseInternalKey("1234567", &parsed));
  std::string unknown_type = Key("k", 1);
  unknown_type[1] = 3;
  EXPECT_FALSE(ParseInternalKey(unknown_type, &parsed));
  InternalKey key("k", 1, kTypeValue);
  EXPECT_FALSE(key.DecodeFrom("short"));
  EXPECT_TRUE(key.empty());
}

TEST(InternalKeyTest, TablesHoldNoReferences) {
  ParsedKey parsed;
  EXPECT_FALSE(ParseTableKey("1234567", &parsed));
  EXPECT_TRUE(ParseTableKey(Key("k", 1, kTypeDeletion), &parsed));
  EXPECT_TRUE(ParseTableKey(Key("k", 1, kTypeValue), &parsed));
  EXPECT_FALSE(ParseTableKey(Key("k", 1, kTypeValueRef), &parsed));
}

TEST(InternalKeyTest, NewestVersionComesFirst) {
  const InternalKeyComparator order(BytewiseComparator());
  EXPECT_LT(order.Compare(Key("a", 9), Key("a", 8)), 0);
  EXPECT_LT(order.Compare(Key("a", 9), Key("a", 9, kTypeDeletion)), 0);
  EXPECT_EQ(order.Compare(Key("a", 9), Key("a", 9)), 0);
  EXPECT_LT(order.Compare(Key("a", 1), Key("b", 9)), 0);
  EXPECT_GT(order.Compare(Key("ab", 9), Key("a", 1)), 0);
}

TEST(InternalKeyTest, BoundariesAreShortenedOnlyWhereThatSeparates) {
  const InternalKeyComparator order(BytewiseComparator());
  std::string start = Key("foo", 100);
  order.FindShortestSeparator(&start, Key("foo", 99));
  EXPECT_EQ(Key("foo", 100), start);
  order.FindShortestSeparator(&start, Key("hello", 200));
  EXPECT_EQ(Key("g", kMaxSequenceNumber), start);
  start = Key("foo", 100);
  order.FindShortestSeparator(&start, Key("foobar", 200));
  EXPECT_EQ(Key("foo", 100), start);
  std::string last = Key("foo", 100);
  order.FindShortSuccessor(&last);
  EXPECT_EQ(Key("g", kMaxSequenceNumber), last);
  last = Key("\xff\xff", 100);
  order.FindShortSuccessor(&last);
  EXPECT_EQ(Key("\xff\xff", 100), last);
}

TEST(InternalKeyTest, LookupKeySeesItsOwnSequenceAndOlder) {
  const InternalKeyComparator order(BytewiseComparator());
  for (const size_t length : {size_t{0}, size_t{3}, size_t{192}, size_t{193}, size_t{5000}}) {
    const std::string user_key(length, 'x');
    const LookupKey lookup(user_key, 50);
    EXPECT_EQ(user_key, lookup.user_key().ToString());
    EXPECT_GT(order.Compare(lookup.internal_key(), Key(user_key, 51)), 0);
    EXPECT_LE(order.Compare(lookup.internal_key(), Key(user_key, 50, kTypeValueRef)), 0);
    EXPECT_LE(order.Compare(lookup.internal_key(), Key(user_key, 50)), 0);
    EXPECT_LE(order.Compare(lookup.internal_key(), Key(user_key, 50, kTypeDeletion)), 0);
  }
}

TEST(InternalKeyTest, DebugStringEscapes) {
  EXPECT_EQ("'a\\x00' @ 7 : val", InternalKey(Slice("a\0", 2), 7, kTypeValue).DebugString());
  EXPECT_EQ("'b' @ 8 : del", InternalKey("b", 8, kTypeDeletion).DebugString());
  EXPECT_EQ("'c' @ 9 : ref", InternalKey("c", 9, kTypeValueRef).DebugString());
}

}  // namespace
}  // namespace leveldb
