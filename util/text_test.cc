#include "util/text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace leveldb {
namespace {

TEST(TextTest, Numbers) {
  EXPECT_EQ(NumberToString(0), "0");
  EXPECT_EQ(NumberToString(UINT64_MAX), "18446744073709551615");
  std::string text = "n=";
  AppendNumber(&text, 1048576);
  EXPECT_EQ(text, "n=1048576");
}

TEST(TextTest, EscapesWhatDoesNotPrint) {
  EXPECT_EQ(Escaped("plain ~ text"), "plain ~ text");
  EXPECT_EQ(Escaped(Slice("\x00\n\x7f\xff", 4)), "\\x00\\x0a\\x7f\\xff");
  std::string text = "k:";
  AppendEscaped(&text, Slice("a\tb"));
  EXPECT_EQ(text, "k:a\\x09b");
}

TEST(TextTest, ConsumesDigits) {
  Slice text("00123.log");
  uint64_t number = 0;
  ASSERT_TRUE(ConsumeDecimal(&text, &number));
  EXPECT_EQ(number, 123u);
  EXPECT_EQ(text, ".log");

  text = Slice("18446744073709551615");
  ASSERT_TRUE(ConsumeDecimal(&text, &number));
  EXPECT_EQ(number, UINT64_MAX);
  EXPECT_TRUE(text.empty());
}

TEST(TextTest, RefusesWhatIsNoNumber) {
  for (const char* const bad :
       {"", "x1", " 1", "-1", "+1", "18446744073709551616", "99999999999999999999999999"}) {
    Slice text(bad);
    uint64_t number = 7;
    EXPECT_FALSE(ConsumeDecimal(&text, &number)) << bad;
    EXPECT_EQ(number, 7u);
    EXPECT_EQ(text, bad);
  }
}

}  // namespace
}  // namespace leveldb
