#include "benchmarks/tier_figures.h"

#include <cstdlib>
#include <sstream>

namespace leveldb::bench {

TierFigures ParseTierFigures(const std::string& text) {
  TierFigures figures;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t space = line.find(' ');
    if (space == 0 || space == std::string::npos) continue;
    const char* const number = line.c_str() + space + 1;
    char* end = nullptr;
    const double value = std::strtod(number, &end);
    if (end != number && *end == '\0') figures.emplace_back(line.substr(0, space), value);
  }
  return figures;
}

uint64_t PoolBytesWritten(const TierFigures& figures) {
  double bytes = 0;
  for (const auto& [name, value] : figures) {
    for (const char* part :
         {"log-bytes", "value-bytes", "flush-bytes", "merge-bytes", "sweep-bytes"}) {
      if (name == part) bytes += value;
    }
  }
  return static_cast<uint64_t>(bytes);
}

TierFigures ReadTierFigures(DB* db) {
  std::string text;
  return db->GetProperty("leveldb.pmem", &text) ? ParseTierFigures(text) : TierFigures();
}

}  // namespace leveldb::bench
