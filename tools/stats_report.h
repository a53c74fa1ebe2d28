// The properties "leveldb.pmem" and "leveldb.stats", taken apart into named figures.
#ifndef BUSHSTORE_TOOLS_STATS_REPORT_H_
#define BUSHSTORE_TOOLS_STATS_REPORT_H_

#include <string>
#include <vector>

#include "tools/report.h"

namespace leveldb {

// The lines of a text, without their ends.
std::vector<std::string> Lines(const std::string& text);

// Adds each line "name value" of leveldb.pmem under its name: a number where it is one.
void AddTierMetrics(const std::string& text, Report* report);

// A report for each level that leveldb.stats has a row for.
std::vector<Report> TableMetrics(const std::string& text);

}  // namespace leveldb

#endif  // BUSHSTORE_TOOLS_STATS_REPORT_H_
