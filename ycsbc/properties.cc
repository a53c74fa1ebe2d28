#include "ycsbc/properties.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

#include "util/text.h"

namespace leveldb::ycsbc {

namespace {

constexpr char kArgumentPlace[] = "-p";

std::string Trimmed(const std::string& text) {
  constexpr char kSpace[] = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// Returns false if there is no name before an equals sign.
bool Split(const std::string& assignment, std::string* name, std::string* value) {
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos) return false;
  *name = Trimmed(assignment.substr(0, equals));
  *value = Trimmed(assignment.substr(equals + 1));
  return !name->empty();
}

}  // namespace

std::string Properties::AddFile(const std::string& path) {
  const auto cannot_read = [&path] {
    return "cannot read the property file " + path + ": " + std::strerror(errno);
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"),
                                                             &std::fclose);
  if (file == nullptr) return cannot_read();
  std::string text;
  char chunk[4096];
  for (size_t n; (n = std::fread(chunk, 1, sizeof(chunk), file.get())) > 0;) text.append(chunk, n);
  if (std::ferror(file.get()) != 0) return cannot_read();
  return AddText(text, path);
}

std::string Properties::AddText(const std::string& text, const std::string& file_name) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = Trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    const std::string place = file_name + ":" + std::to_string(number);
    std::string name;
    std::string value;
    if (!Split(line, &name, &value)) {
      return place + ": a property is name=value, and \"" + Escaped(line) + "\" is not";
    }
    const Entry* const earlier = Find(name);
    if (earlier != nullptr && earlier->place == kArgumentPlace) continue;
    entries_[name] = Entry{value, place};
  }
  return "";
}

std::string Properties::AddArgument(const std::string& assignment) {
  std::string name;
  std::string value;
  if (!Split(assignment, &name, &value)) {
    return "-p takes name=value, and \"" + Escaped(assignment) + "\" is not that";
  }
  entries_[name] = Entry{value, kArgumentPlace};
  return "";
}

const Properties::Entry* Properties::Find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

}  // namespace leveldb::ycsbc
