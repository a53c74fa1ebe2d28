// For tests only: makes versions and edits from text.
//
//   L0: 12[a@20..k@15] 11[b@9..m@12]:3M
//   L1: 5[a..d]:2048K
//
// Each file is its number, its smallest and largest internal keys (user key and sequence number; 1
// if left out) and its size (1M if left out).

#ifndef BUSHSTORE_DB_VERSION_VERSION_TEXT_H_
#define BUSHSTORE_DB_VERSION_VERSION_TEXT_H_

#include <cstdint>
#include <sstream>
#include <string>

#include "db/version/version_builder.h"
#include "gtest/gtest.h"

namespace leveldb {

// Parses a number with an optional suffix K or M.
inline uint64_t ParseSize(const std::string& text) {
  const uint64_t number = std::stoull(text);
  if (text.back() == 'K') return number << 10;
  if (text.back() == 'M') return number << 20;
  return number;
}

// Parses "user@sequence", or "user" with sequence 1.
inline InternalKey ParseKey(const std::string& text) {
  const size_t at = text.find('@');
  const uint64_t sequence = at == std::string::npos ? 1 : std::stoull(text.substr(at + 1));
  return InternalKey(text.substr(0, at), sequence, kTypeValue);
}

// Adds one file, "number[smallest..largest]:size", to *edit.
inline void ParseFile(int level, const std::string& text, VersionEdit* edit) {
  const size_t open = text.find('[');
  const size_t dots = text.find("..");
  const size_t close = text.find(']');
  const std::string size = close + 1 < text.size() ? text.substr(close + 2) : "1M";
  edit->AddFile(level, std::stoull(text.substr(0, open)), ParseSize(size),
                ParseKey(text.substr(open + 1, dots - open - 1)),
                ParseKey(text.substr(dots + 2, close - dots - 2)));
}

// Returns an edit that adds the files of `text`.
inline VersionEdit ParseFiles(const std::string& text) {
  VersionEdit edit;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    const int level = std::stoi(word.substr(1));
    while (words >> word) ParseFile(level, word, &edit);
  }
  return edit;
}

// Returns the version with the files of `text`. `comparator` must outlive it.
inline VersionPtr ParseVersion(const InternalKeyComparator* comparator, const std::string& text) {
  VersionBuilder builder(comparator, VersionPtr(new Version(comparator)));
  builder.Apply(ParseFiles(text));
  VersionPtr version;
  const Status status = builder.Build(&version);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return version;
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_TEXT_H_
