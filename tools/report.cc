#include "tools/report.h"

#include <cstdio>

namespace leveldb {

namespace {

constexpr size_t kIndent = 2;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Returns whether `text` is a number in JSON's format, without an exponent.
bool IsJsonNumber(const std::string& text) {
  size_t i = text.size() > 1 && text[0] == '-' ? 1 : 0;
  const size_t first = i;
  while (i < text.size() && IsDigit(text[i])) i++;
  if (i == first || (text[first] == '0' && i > first + 1)) return false;
  if (i == text.size()) return true;
  if (text[i] != '.') return false;
  const size_t fraction = ++i;
  while (i < text.size() && IsDigit(text[i])) i++;
  return i > fraction && i == text.size();
}

std::string Escape(const Slice& bytes, const char* quoted, const char* form) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i++) {
    const unsigned char byte = static_cast<unsigned char>(bytes[i]);
    char escape[8];
    if (byte >= 0x20 && byte < 0x7f && std::string(quoted).find(bytes[i]) == std::string::npos) {
      text.push_back(bytes[i]);
    } else {
      snprintf(escape, sizeof(escape), form, byte);
      text += escape;
    }
  }
  return text;
}

}  // namespace

std::string JsonString(const Slice& bytes) {
  return "\"" + Escape(bytes, "\"\\", "\\u00%02x") + "\"";
}

std::string PlainText(const Slice& bytes) {
  return Escape(bytes, "\\", "\\x%02x");
}

void Report::Add(const std::string& name, const std::string& text) {
  fields_.push_back({name, JsonString(text), text, {}});
}

void Report::Add(const std::string& name, uint64_t number) {
  const std::string text = std::to_string(number);
  fields_.push_back({name, text, text, {}});
}

void Report::Add(const std::string& name, bool is_so) {
  fields_.push_back({name, is_so ? "true" : "false", is_so ? "yes" : "no", {}});
}

void Report::AddFigure(const std::string& name, const std::string& text) {
  fields_.push_back({name, IsJsonNumber(text) ? text : JsonString(text), text, {}});
}

void Report::Add(const std::string& name, const Report& report) {
  fields_.push_back({name, report.Json(), "", {report.Text(kIndent)}});
}

void Report::Add(const std::string& name, const std::vector<Report>& list) {
  Field field{name, "[", "", {}};
  for (const Report& report : list) {
    field.json += (field.blocks.empty() ? "" : ", ") + report.Json();
    field.blocks.push_back(report.Text(kIndent));
  }
  field.json += "]";
  fields_.push_back(field);
}

void Report::Add(const std::string& name, const std::vector<std::string>& lines) {
  Field field{name, "[", "", {}};
  for (const std::string& line : lines) {
    field.json += (field.blocks.empty() ? "" : ", ") + JsonString(line);
    field.blocks.push_back(std::string(kIndent, ' ') + line + "\n");
  }
  field.json += "]";
  fields_.push_back(field);
}

std::string Report::Json() const {
  std::string json = "{";
  for (const Field& field : fields_) {
    if (json.size() > 1) json += ", ";
    json += JsonString(field.name) + ": " + field.json;
  }
  return json + "}";
}

std::string Report::Text(size_t indent) const {
  std::string text;
  for (const Field& field : fields_) {
    if (field.text.empty() && field.blocks.empty()) continue;
    text += std::string(indent, ' ') + field.name + ":";
    text += field.text.empty() ? "\n" : " " + field.text + "\n";
    for (const std::string& block : field.blocks) text += block;
  }
  return text;
}

}  // namespace leveldb
