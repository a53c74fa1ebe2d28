#include "benchmarks/console.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb::bench {
namespace {

BenchResult Example() {
  BenchResult result;
  result.name = "fillrandom";
  result.operations = 1'000'000;
  result.bytes = 116'000'000;
  result.busy_seconds = 3.123;
  result.elapsed_seconds = 3.125;
  return result;
}

TEST(ConsoleTest, ResultHasTheShapeOfLevelDB) {
  EXPECT_EQ("fillrandom   :       3.123 micros/op;   35.4 MB/s\n", FormatResult(Example()));
}

TEST(ConsoleTest, ReadsTellWhatWasFound) {
  BenchResult result = Example();
  result.name = "readrandom";
  result.bytes = 0;
  result.found = 632000;
  EXPECT_EQ("readrandom   :       3.123 micros/op; (632000 of 1000000 found)\n",
            FormatResult(result));
}

TEST(ConsoleTest, HistogramAndComparisonsFollow) {
  BenchResult result = Example();
  result.latency.emplace();
  result.latency->Add(2);
  result.comparisons = 42;
  const std::string text = FormatResult(result);
  EXPECT_NE(std::string::npos, text.find("MB/s\nMicroseconds per op:\nCount: 1 "));
  EXPECT_NE(std::string::npos, text.find("\nComparisons: 42\n"));
}

TEST(ConsoleTest, TextStandsAlone) {
  BenchResult result;
  result.text = "a table";
  EXPECT_EQ("\na table\n", FormatResult(result));
}

TEST(ConsoleTest, NothingDoneIsNoDivisionByZero) {
  BenchResult result;
  result.name = "readseq";
  EXPECT_EQ("readseq      :       0.000 micros/op;\n", FormatResult(result));
}

TEST(ConsoleTest, HeaderTellsSizes) {
  BenchOptions options;
  options.key_prefix = 4;
  const std::string text = FormatHeader(options, Machine());
  EXPECT_NE(std::string::npos, text.find("Keys:       20 bytes each\n"));
  EXPECT_NE(std::string::npos,
            text.find("Values:     100 bytes each (50 bytes after compression)\n"));
  EXPECT_NE(std::string::npos, text.find("Entries:    1000000\n"));
  EXPECT_NE(std::string::npos, text.find("RawSize:    114.4 MB (estimated)\n"));
  EXPECT_NE(std::string::npos, text.find("FileSize:   66.8 MB (estimated)\n"));
  EXPECT_NE(std::string::npos, text.find("Verify:     on"));
}

TEST(ConsoleTest, HeaderSaysWhenNothingIsVerified) {
  BenchOptions options;
  options.verify = false;
  EXPECT_NE(std::string::npos, FormatHeader(options, Machine()).find("OFF (--verify=0)"));
}

TEST(ConsoleTest, Skipped) {
  EXPECT_EQ("fillseq      : skipped (--use_existing_db is true)\n", FormatSkipped("fillseq"));
}

}  // namespace
}  // namespace leveldb::bench
