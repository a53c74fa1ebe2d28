#include "tools/stats_report.h"

#include <gtest/gtest.h>

namespace leveldb {
namespace {

TEST(StatsReportTest, MetricsOfTheTierAreNumbersUnderTheirNames) {
  Report report;
  AddTierMetrics("trees-at-level0 3\npool-use 0.2500\nfailure IO error: no room\nnothing\n",
                 &report);
  EXPECT_EQ(
      "{\"trees-at-level0\": 3, \"pool-use\": 0.2500, \"failure\": \"IO error: no room\", "
      "\"nothing\": \"\"}",
      report.Json());
}

TEST(StatsReportTest, EveryLevelOfTablesHasItsMetrics) {
  const std::vector<Report> levels = TableMetrics(
      "                               Compactions\n"
      "Level  Files Size(MB) Time(sec) Read(MB) Write(MB)\n"
      "--------------------------------------------------\n"
      "  0        2        7         0        0         7\n"
      "  1       12       23         1       15        22\n");
  ASSERT_EQ(2u, levels.size());
  EXPECT_EQ(
      "{\"level\": 1, \"files\": 12, \"megabytes\": 23, \"seconds\": 1, \"megabytes read\": 15, "
      "\"megabytes written\": 22}",
      levels[1].Json());
  EXPECT_TRUE(TableMetrics("").empty());
}

}  // namespace
}  // namespace leveldb
