#include "benchmarks/json_writer.h"

#include <cassert>
#include <cmath>
#include <cstdio>

namespace leveldb::bench {

namespace {

constexpr size_t kIndent = 2;

}  // namespace

void JsonWriter::NewLine() {
  text_ += '\n';
  text_.append(kIndent * static_cast<size_t>(depth_), ' ');
}

void JsonWriter::Separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!is_first_) text_ += ',';
  is_first_ = false;
  NewLine();
}

void JsonWriter::Begin(char bracket) {
  Separate();
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonWriter::End(char bracket) {
  assert(depth_ > 0);
  --depth_;
  if (!is_first_) NewLine();
  text_ += bracket;
  is_first_ = false;
  if (depth_ == 0) text_ += '\n';
}

void JsonWriter::Key(std::string_view name) {
  assert(depth_ > 0);
  assert(!after_key_);
  Separate();
  AppendQuoted(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::AppendQuoted(std::string_view value) {
  text_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned char>(c));
      text_ += escape;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void JsonWriter::String(std::string_view value) {
  Separate();
  AppendQuoted(value);
}

void JsonWriter::Number(int64_t value) {
  Separate();
  text_ += std::to_string(value);
}

void JsonWriter::Number(uint64_t value) {
  Separate();
  text_ += std::to_string(value);
}

void JsonWriter::Number(double value) {
  Separate();
  if (!std::isfinite(value)) {
    text_ += "null";
    return;
  }
  char number[40];
  std::snprintf(number, sizeof(number), "%.6g", value);
  text_ += number;
}

void JsonWriter::Bool(bool value) {
  Separate();
  text_ += value ? "true" : "false";
}

}  // namespace leveldb::bench
