#include "leveldb/slice.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {
namespace {

TEST(SliceTest, NamesBytesOfOthers) {
  const std::string text = "hello";
  const Slice slice(text);
  EXPECT_EQ(slice.data(), text.data());
  EXPECT_EQ(slice.size(), 5u);
  EXPECT_EQ(slice[1], 'e');
  EXPECT_EQ(std::string(slice.begin(), slice.end()), text);
  EXPECT_EQ(Slice("he\0llo", 6).ToString(), std::string("he\0llo", 6));
  EXPECT_EQ(Slice("abc").size(), 3u);
  EXPECT_TRUE(Slice().empty());
}

TEST(SliceTest, Cuts) {
  Slice slice("prefix-rest");
  EXPECT_TRUE(slice.starts_with("prefix"));
  EXPECT_TRUE(slice.starts_with(""));
  EXPECT_FALSE(slice.starts_with("prefix-rest-more"));
  slice.remove_prefix(7);
  EXPECT_EQ(slice, "rest");
  slice.clear();
  EXPECT_TRUE(slice.empty());
}

TEST(SliceTest, OrdersByUnsignedBytes) {
  EXPECT_EQ(Slice("a").compare("a"), 0);
  EXPECT_LT(Slice("a").compare("b"), 0);
  EXPECT_GT(Slice("b").compare("a"), 0);
  EXPECT_LT(Slice("a").compare("aa"), 0);
  EXPECT_GT(Slice("aa").compare("a"), 0);
  EXPECT_LT(Slice("\x7f").compare("\x80"), 0);
  EXPECT_LT(Slice("").compare("a"), 0);
  EXPECT_TRUE(Slice("a") != Slice("b"));
  EXPECT_TRUE(Slice("a") != Slice("aa"));
}

}  // namespace
}  // namespace leveldb
