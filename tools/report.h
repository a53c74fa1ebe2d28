// What a command of bushstore finds out, to be shown to people or to programs.
#ifndef BUSHSTORE_TOOLS_REPORT_H_
#define BUSHSTORE_TOOLS_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/slice.h"

namespace leveldb {

// The bytes as a string of JSON, quotes included. Bytes that are not printable ASCII become \u00XX,
// one escape for each byte.
std::string JsonString(const Slice& bytes);

// The bytes with everything outside printable ASCII, and the backslash, as \xNN.
std::string PlainText(const Slice& bytes);

// A list of named values, in the order in which they were added.
class Report {
 public:
  void Add(const std::string& name, const std::string& text);
  void Add(const std::string& name, const char* text) { Add(name, std::string(text)); }
  void Add(const std::string& name, uint64_t number);
  void Add(const std::string& name, bool is_so);
  // A number if `text` is one in JSON's sense, else a string.
  void AddFigure(const std::string& name, const std::string& text);
  void Add(const std::string& name, const Report& report);
  void Add(const std::string& name, const std::vector<Report>& list);
  void Add(const std::string& name, const std::vector<std::string>& lines);

  // One JSON object, without a line end.
  std::string Json() const;

  // A line for each value that is not empty, `indent` spaces before it.
  std::string Text(size_t indent = 0) const;

 private:
  struct Field {
    std::string name;
    std::string json;
    std::string text;                 // one line
    std::vector<std::string> blocks;  // or these, already with line ends
  };

  std::vector<Field> fields_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TOOLS_REPORT_H_
