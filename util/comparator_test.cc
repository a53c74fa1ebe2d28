#include "leveldb/comparator.h"

#include <gtest/gtest.h>

#include <string>

#include "leveldb/slice.h"
#include "util/random.h"

namespace leveldb {
namespace {

std::string Separator(std::string start, const std::string& limit) {
  BytewiseComparator()->FindShortestSeparator(&start, limit);
  return start;
}

std::string Successor(std::string key) {
  BytewiseComparator()->FindShortSuccessor(&key);
  return key;
}

TEST(BytewiseComparatorTest, NameAndOrder) {
  EXPECT_STREQ(BytewiseComparator()->Name(), "leveldb.BytewiseComparator");
  EXPECT_EQ(BytewiseComparator(), BytewiseComparator());
  EXPECT_LT(BytewiseComparator()->Compare("a", "b"), 0);
  EXPECT_GT(BytewiseComparator()->Compare("\xff", "a"), 0);
  EXPECT_EQ(BytewiseComparator()->Compare("", ""), 0);
}

TEST(BytewiseComparatorTest, Separators) {
  EXPECT_EQ(Separator("abcdef", "abzz"), "abd");
  EXPECT_EQ(Separator("abc1xxx", "abc2"), "abc1xxx");  // No room between 1 and 2.
  EXPECT_EQ(Separator("abc1xxx", "abc3"), "abc2");
  EXPECT_EQ(Separator("abc", "abcdef"), "abc");  // A prefix.
  EXPECT_EQ(Separator("abcdef", "abc"), "abcdef");
  EXPECT_EQ(Separator("a\xff\xff", "b"), "a\xff\xff");
  EXPECT_EQ(Separator("", "x"), "");
}

TEST(BytewiseComparatorTest, Successors) {
  EXPECT_EQ(Successor("abc"), "b");
  EXPECT_EQ(Successor("\xff\xff"
                      "abc"),
            "\xff\xff"
            "b");
  EXPECT_EQ(Successor("\xff\xff"), "\xff\xff");
  EXPECT_EQ(Successor(""), "");
}

TEST(BytewiseComparatorTest, ShortenedKeysStayBetween) {
  const uint64_t seed = 301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const auto random_key = [&random] {
    static const char kBytes[] = {'\x00', '\x01', 'a', 'b', '\xfe', '\xff'};
    std::string key;
    for (uint64_t n = random.Uniform(6); n > 0; n--) key.push_back(kBytes[random.Uniform(6)]);
    return key;
  };
  const Comparator* const order = BytewiseComparator();
  for (int i = 0; i < 20000; i++) {
    const std::string a = random_key();
    const std::string b = random_key();
    if (order->Compare(a, b) < 0) {
      const std::string middle = Separator(a, b);
      ASSERT_LE(order->Compare(a, middle), 0);
      ASSERT_LT(order->Compare(middle, b), 0);
      ASSERT_LE(middle.size(), a.size());
    }
    ASSERT_GE(order->Compare(Successor(a), a), 0);
    ASSERT_LE(Successor(a).size(), a.size());
  }
}

}  // namespace
}  // namespace leveldb
