// The results of a command of bushstore, printed for humans or for programs.
#ifndef BUSHSTORE_TOOLS_REPORT_H_
#define BUSHSTORE_TOOLS_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/slice.h"

namespace leveldb {

// Returns the bytes as a JSON string, including quotes. Bytes that are not printable ASCII become
// \u00XX, one escape for each byte.
std::string JsonString(const Slice& bytes);

// Returns the bytes, with \xNN for everything outside printable ASCII and for the backslash.
std::string PlainText(const Slice& bytes);

// A list of named values, in the order in which they were added.
class Report {
 public:
  void Add(const std::string& name, const std::string& text);
  void Add(const std::string& name, const char* text) { Add(name, std::string(text)); }
  void Add(const std::string& name, uint64_t number);
  void Add(const std::string& name, bool is_so);
  // Adds a number if `text` is a number in JSON, else a string.
  void AddFigure(const std::string& name, const std::string& text);
  void Add(const std::string& name, const Report& report);
  void Add(const std::string& name, const std::vector<Report>& list);
  void Add(const std::string& name, const std::vector<std::string>& lines);

  // Returns one JSON object, without a line end.
  std::string Json() const;

  // Returns a line for each value that is not empty, indented by `indent` spaces.
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
