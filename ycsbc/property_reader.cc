#include "ycsbc/property_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "benchmarks/tier_options.h"
#include "util/text.h"

namespace leveldb::ycsbc {

namespace {

std::string FromTo(const std::string& least, const std::string& most) {
  return "from " + least + " to " + most;
}

std::string Short(double number) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.12g", number);
  return text;
}

bool ParseWhole(const std::string& text, uint64_t* number) {
  Slice rest(text);
  return ConsumeDecimal(&rest, number) && rest.empty();
}

bool ParseReal(const std::string& text, double* number) {
  // strtod would also take hexadecimal digits and words for infinity.
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return false;
  char* end = nullptr;
  *number = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(*number);
}

}  // namespace

const Properties::Entry* PropertyReader::Take(const std::string& name) {
  values_.emplace(name, "");
  return properties_.Find(name);
}

void PropertyReader::AddMistake(const std::string& sentence) {
  if (mistake_.empty()) mistake_ = sentence;
}

void PropertyReader::AddBadValue(const std::string& name, const Properties::Entry& entry,
                                 const std::string& wanted) {
  AddMistake(name + " must be " + wanted + ", and is \"" + Escaped(entry.value) + "\" (" +
             entry.place + ")");
}

void PropertyReader::Read(const std::string& name, uint64_t* value, uint64_t least,
                          uint64_t most) {
  if (const Properties::Entry* const entry = Take(name); entry != nullptr) {
    uint64_t number = 0;
    if (ParseWhole(entry->value, &number) && number >= least && number <= most) {
      *value = number;
    } else {
      AddBadValue(name, *entry,
                  "a whole number " + FromTo(std::to_string(least), std::to_string(most)));
    }
  }
  values_[name] = std::to_string(*value);
}

void PropertyReader::ReadSize(const std::string& name, uint64_t* value, uint64_t least,
                              uint64_t most) {
  if (const Properties::Entry* const entry = Take(name); entry != nullptr) {
    uint64_t bytes = 0;
    if (bench::ParseSize(entry->value, &bytes) && bytes >= least && bytes <= most) {
      *value = bytes;
    } else {
      AddBadValue(name, *entry,
                  "a number of bytes (also with K, M or G) " +
                      FromTo(bench::FormatSize(least), bench::FormatSize(most)));
    }
  }
  values_[name] = std::to_string(*value);
}

void PropertyReader::Read(const std::string& name, double* value, double least, double most) {
  if (const Properties::Entry* const entry = Take(name); entry != nullptr) {
    double number = 0;
    if (ParseReal(entry->value, &number) && number >= least && number <= most) {
      *value = number;
    } else {
      AddBadValue(name, *entry, "a number " + FromTo(Short(least), Short(most)));
    }
  }
  values_[name] = Short(*value);
}

void PropertyReader::Read(const std::string& name, bool* value) {
  int word = *value ? 1 : 0;
  if (const Properties::Entry* const entry = Take(name); entry != nullptr) {
    if (entry->value == "1" || entry->value == "0") {
      word = entry->value == "1" ? 1 : 0;
    } else {
      ReadWord(name, {"false", "true"}, &word);
    }
  }
  *value = word == 1;
  values_[name] = *value ? "true" : "false";
}

void PropertyReader::Read(const std::string& name, std::string* value) {
  const Properties::Entry* const entry = Take(name);
  if (entry != nullptr) *value = entry->value;
  values_[name] = *value;
}

void PropertyReader::ReadWord(const std::string& name, const std::vector<std::string>& words,
                              int* value) {
  if (const Properties::Entry* const entry = Take(name); entry != nullptr) {
    const auto found = std::find(words.begin(), words.end(), entry->value);
    if (found != words.end()) {
      *value = static_cast<int>(found - words.begin());
    } else {
      std::string list;
      for (size_t i = 0; i < words.size(); ++i) {
        list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
      }
      AddBadValue(name, *entry, list);
    }
  }
  values_[name] = words[static_cast<size_t>(*value)];
}

void PropertyReader::Ignore(const std::string& name) {
  std::string value;
  Read(name, &value);
}

std::string PropertyReader::FindUnknown() const {
  for (const auto& [name, entry] : properties_.entries()) {
    if (values_.count(name) > 0) continue;
    const auto distance = [&unknown = name](const auto& known) {
      return EditDistance(unknown, known.first);
    };
    const auto nearest = std::min_element(
        values_.begin(), values_.end(),
        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    return "there is no property \"" + Escaped(name) + "\" (" + entry.place +
           (nearest == values_.end() ? ")" : "); the nearest is \"" + nearest->first + "\"");
  }
  return "";
}

size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);  // distances of the beginnings of b
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace leveldb::ycsbc
