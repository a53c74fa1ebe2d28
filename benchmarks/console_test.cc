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
  const std::string text = FormatHeader(options, Machine(), "", "");
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
  EXPECT_NE(std::string::npos, FormatHeader(options, Machine(), "", "").find("OFF (--verify=0)"));
}

TEST(ConsoleTest, HeaderTellsOfTheTierIfThereIsOne) {
  BenchOptions options;
  EXPECT_EQ(std::string::npos, FormatHeader(options, Machine(), "", "").find("Pool:"));
  options.tier.use_pm = true;
  options.tier.pmem.path = "/mnt/pmem";
  options.tier.pmem.size = uint64_t{8} << 30;
  options.tier.pmem.prefault = true;
  std::string text = FormatHeader(options, Machine(), "a device", "clwb");
  for (const char* line :
       {"Pool:       /mnt/pmem, 8 GiB, prefaulted\n", "Device:     a device\n",
        "Persistent: every write before it is acknowledged\n",
        "Separated:  values from 256 bytes on; collected at 50% garbage\n",
        "Trees:      dynamic sizes\n", "Spill:      from 85% of the pool in use down to 70%\n"}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << " in\n" << text;
  }
  EXPECT_EQ(std::string::npos, text.find("NOTE"));

  options.tier.pmem.wal_persist_bytes = 16 << 10;
  options.tier.pmem.spill = false;
  options.tier.bucket_nums = 1;
  text = FormatHeader(options, Machine(), "a device", "clwb");
  for (const char* line :
       {"Persistent: writes up to 16 KiB after they are acknowledged\n",
        "Spill:      never (--flush_ssd=0)\n", "NOTE: --bucket_nums is ignored"}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << " in\n" << text;
  }
}

TEST(ConsoleTest, HeaderPromisesWhatTheMediumKeeps) {
  BenchOptions options;
  options.tier.use_pm = true;
  for (const char* medium : {"msync", "emulated"}) {
    const std::string text = FormatHeader(options, Machine(), "a device", medium);
    EXPECT_EQ(std::string::npos, text.find("every write")) << text;
    EXPECT_NE(std::string::npos, text.find("survive a kill of the process")) << text;
  }
}

TEST(ConsoleTest, FlagsAboutATierThatIsNotThereAreNoted) {
  BenchOptions options;
  EXPECT_EQ(std::string::npos, FormatHeader(options, Machine(), "", "").find("NOTE"));
  options.tier.bucket_nums = 1;
  options.tier.idle_flags = {"gc_ratio", "pm_size"};
  const std::string text = FormatHeader(options, Machine(), "", "");
  EXPECT_NE(std::string::npos, text.find("NOTE: --bucket_nums is ignored")) << text;
  EXPECT_NE(std::string::npos, text.find("no tier for --gc_ratio, --pm_size\n")) << text;
}

TEST(ConsoleTest, ControlFollowsTheHistogram) {
  BenchResult result = Example();
  result.control_pause_micros = 4012.25;
  EXPECT_NE(std::string::npos,
            FormatResult(result).find("MB/s\nControl thread's longest pause: 4012.2 micros\n"));
  result.control_rare_pause_micros = 12.5;
  const std::string with_rare =
      "pause: 4012.2 micros\nIts pauses longer than 12.5 micros: one in 10000 operations\n";
  EXPECT_NE(std::string::npos, FormatResult(result).find(with_rare));
}

TEST(ConsoleTest, WhatItTakesAtTheBestPaceFollows) {
  BenchResult result = Example();
  result.paced = {.pace_nanos = 20000, .micros_per_operation = 0.7504, .share = 0.123};
  EXPECT_NE(std::string::npos,
            FormatResult(result).find(
                "MB/s\nAt the processor's best pace: 0.750 micros/op, 12 % of them\n"));
}

TEST(ConsoleTest, Skipped) {
  EXPECT_EQ("fillseq      : skipped (--use_existing_db is true)\n", FormatSkipped("fillseq"));
}

}  // namespace
}  // namespace leveldb::bench
