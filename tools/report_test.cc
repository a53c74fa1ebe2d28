#include "tools/report.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

TEST(ReportTest, StringsOfJsonHaveNoBareBytes) {
  EXPECT_EQ("\"plain\"", JsonString("plain"));
  EXPECT_EQ("\"\\u0022\\u005c\"", JsonString("\"\\"));
  EXPECT_EQ("\"a\\u0000\\u00ff\\u000a\"", JsonString(Slice("a\0\xff\n", 4)));
  EXPECT_EQ("a\\x00\\xff\\x0a\\x5c\"", PlainText(Slice("a\0\xff\n\\\"", 6)));
}

TEST(ReportTest, BothForms) {
  Report inner;
  inner.Add("name", "x");
  inner.Add("number", uint64_t{7});
  Report report;
  report.Add("text", "some \"text\"");
  report.Add("nothing", "");
  report.Add("is", true);
  report.AddFigure("figure", "-1.25");
  report.AddFigure("no figure", "01");
  report.Add("object", inner);
  report.Add("list", std::vector<Report>{inner, inner});
  report.Add("lines", std::vector<std::string>{"one", "two"});
  EXPECT_EQ(
      "{\"text\": \"some \\u0022text\\u0022\", \"nothing\": \"\", \"is\": true, "
      "\"figure\": -1.25, \"no figure\": \"01\", \"object\": {\"name\": \"x\", \"number\": 7}, "
      "\"list\": [{\"name\": \"x\", \"number\": 7}, "
      "{\"name\": \"x\", \"number\": 7}], \"lines\": [\"one\", \"two\"]}",
      report.Json());
  EXPECT_EQ(
      "text: some \"text\"\nis: yes\nfigure: -1.25\nno figure: 01\nobject:\n  name: x\n"
      "  number: 7\nlist:\n  name: x\n  number: 7\n"
      "  name: x\n  number: 7\nlines:\n  one\n  two\n",
      report.Text());
}

TEST(ReportTest, FiguresAreNumbersInTheSenseOfJson) {
  const auto is_number = [](const std::string& text) {
    Report report;
    report.AddFigure("x", text);
    return report.Json() == "{\"x\": " + text + "}";
  };
  for (const char* text : {"0", "-0", "12", "1.5", "0.25"}) EXPECT_TRUE(is_number(text)) << text;
  for (const char* text : {"", "-", "1.", ".5", "00", "1e5", "+1", "1 ", "nan", "1.2.3"}) {
    EXPECT_FALSE(is_number(text)) << text;
  }
}

}  // namespace
}  // namespace leveldb
