#include "benchmarks/tier_metrics.h"

#include <cstdlib>
#include <sstream>

namespace leveldb::bench {

TierMetrics ParseTierMetrics(const std::string& text) {
  TierMetrics metrics;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.find(' ');
    if (space == 0 || space == std::string::npos) continue;
    const char* const number = line.c_str() + space + 1;
    char* end = nullptr;
    const double value = std::strtod(number, &end);
    if (end != number && *end == '\0') metrics.emplace_back(line.substr(0, space), value);
  }
  return metrics;
}

uint64_t PoolBytesWritten(const TierMetrics& metrics) {
  double bytes = 0;
  for (const auto& [name, value] : metrics) {
    for (const char* part :
         {"log-bytes", "value-bytes", "flush-bytes", "merge-bytes", "gc-bytes"}) {
      if (name == part) bytes += value;
    }
  }
  return static_cast<uint64_t>(bytes);
}

TierMetrics ReadTierMetrics(DB* db) {
  std::string text;
  return db->GetProperty("leveldb.pmem", &text) ? ParseTierMetrics(text) : TierMetrics();
}

}  // namespace leveldb::bench
