// Splits the properties "leveldb.pmem" and "leveldb.stats" into named metrics.
#ifndef BUSHSTORE_TOOLS_STATS_REPORT_H_
#define BUSHSTORE_TOOLS_STATS_REPORT_H_

#include <string>
#include <vector>

#include "tools/report.h"

namespace leveldb {

// Returns the lines of a text, without their line ends.
std::vector<std::string> Lines(const std::string& text);

// Adds each line "name value" of leveldb.pmem under its name, as a number if it is one.
void AddTierMetrics(const std::string& text, Report* report);

// Returns a report for each level that has a row in leveldb.stats.
std::vector<Report> TableMetrics(const std::string& text);

}  // namespace leveldb

#endif  // BUSHSTORE_TOOLS_STATS_REPORT_H_
