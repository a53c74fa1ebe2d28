#include "tools/stats_report.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace leveldb {

namespace {

// In the order of the columns of leveldb.stats.
constexpr const char* kColumns[] = {"level",   "files",          "megabytes",
                                    "seconds", "megabytes read", "megabytes written"};

std::vector<std::string> Words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

bool IsRow(const std::vector<std::string>& words) {
  return words.size() == std::size(kColumns) &&
         words[0].find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

void AddTierMetrics(const std::string& text, Report* report) {
  for (const std::string& line : Lines(text)) {
    const size_t space = std::min(line.find(' '), line.size());
    report->AddFigure(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
  }
}

std::vector<Report> TableMetrics(const std::string& text) {
  std::vector<Report> levels;
  for (const std::string& line : Lines(text)) {
    const std::vector<std::string> words = Words(line);
    if (!IsRow(words)) continue;
    Report level;
    for (size_t i = 0; i < words.size(); i++) level.AddFigure(kColumns[i], words[i]);
    levels.push_back(level);
  }
  return levels;
}

}  // namespace leveldb
