#include "benchmarks/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "benchmarks/json_check.h"

namespace leveldb::bench {
namespace {

Report ExampleReport() {
  Report report;
  report.machine.cpu_model = "A \"quoted\" CPU";
  report.machine.cpu_cores = 2;
  report.machine.library_file = "/usr/lib/libleveldb.so.1d";
  report.options.benchmarks = {"fillseq", "readseq"};
  report.options.db = "/tmp/x";
  BenchResult fill;
  fill.name = "fillseq";
  fill.operations = 1000;
  fill.bytes = 116000;
  fill.busy_seconds = 0.002;
  fill.elapsed_seconds = 0.002;
  report.results.push_back(fill);
  BenchResult read = fill;
  read.name = "readrandom";
  read.found = 640;
  read.writes_per_second = 12.5;
  read.comparisons = 77;
  read.message = "(words)";
  read.latency.emplace();
  read.latency->Add(1.5);
  read.control_pause_micros = 2000;
  read.control_rare_pause_micros = 0.5;
  read.paced = {.pace_nanos = 20000, .micros_per_operation = 0.75, .share = 0.125};
  read.throughput.push_back({1, 1000, 2.5, 7});
  read.tier = {{"pool-bytes", 12345678901.0}, {"garbage-share", 0.25}};
  report.device = "a device";
  report.open_seconds = 0.125;
  report.results.push_back(read);
  return report;
}

TEST(ReportTest, IsJsonAndHasEveryFigure) {
  const std::string text = FormatReport(ExampleReport());
  EXPECT_TRUE(IsJson(text)) << text;
  for (const char* part : {"\"cpu_model\": \"A \\\"quoted\\\" CPU\"",
                           "\"cpu_cores\": 2",
                           "\"version\"",
                           "\"date\"",
                           "\"file\": \"/usr/lib/libleveldb.so.1d\"",
                           "\"name\": \"fillseq\"",
                           "\"micros_per_operation\": 2",
                           "\"operations_per_second\": 500000",
                           "\"found\": 640",
                           "\"writes_per_second_beside\": 12.5",
                           "\"comparisons\": 77",
                           "\"p99.99\": 1.5",
                           "\"message\": \"(words)\"",
                           "\"failure\": \"\"",
                           "\"device\": \"a device\"",
                           "\"open_seconds\": 0.125",
                           "\"control_pause_micros\": 2000",
                           "\"control_rare_pause_micros\": 0.5",
                           "\"pace_nanos\": 20000",
                           "\"micros_per_operation\": 0.75",
                           "\"share\": 0.125",
                           "\"end_seconds\": 1",
                           "\"longest_pause_millis\": 7",
                           "\"pool-bytes\": 12345678901",
                           "\"garbage-share\": 0.25"}) {
    EXPECT_NE(std::string::npos, text.find(part)) << part << " in\n" << text;
  }
}

TEST(ReportTest, HasEveryOption) {
  const std::string text = FormatReport(ExampleReport());
  for (const char* option : {"benchmarks",
                             "num",
                             "reads",
                             "threads",
                             "value_size",
                             "compression_ratio",
                             "histogram",
                             "write_buffer_size",
                             "max_file_size",
                             "block_size",
                             "cache_size",
                             "open_files",
                             "bloom_bits",
                             "key_prefix",
                             "use_existing_db",
                             "reuse_logs",
                             "compression",
                             "comparisons",
                             "db",
                             "seed",
                             "verify",
                             "throughput",
                             "control_thread",
                             "pace",
                             "write_batch",
                             "use_pm",
                             "pm_path",
                             "pm_size",
                             "pm_prefault",
                             "wal_persist_bytes",
                             "value_separation_bytes",
                             "gc_ratio",
                             "dynamic_tree",
                             "flush_ssd",
                             "spill_start",
                             "spill_stop"}) {
    std::string member(1, '"');
    member.append(option).append("\": ");
    EXPECT_NE(std::string::npos, text.find(member)) << option;
  }
}

TEST(ReportTest, WithoutResultsIsStillJson) {
  EXPECT_TRUE(IsJson(FormatReport(Report())));
}

TEST(ReportTest, IsWrittenToItsFile) {
  const std::string path =
      testing::TempDir() + "/report_test." + std::to_string(getpid()) + ".json";
  EXPECT_EQ("", WriteReport(path, "{}\n"));
  std::ifstream file(path);
  EXPECT_EQ("{}\n",
            std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
  std::remove(path.c_str());
}

TEST(ReportTest, AFileThatCannotBeWrittenIsTold) {
  EXPECT_NE(std::string::npos, WriteReport("/no/such/directory/r.json", "").find("/no/such"));
}

}  // namespace
}  // namespace leveldb::bench
