// Properties of a run: names and values, from files and from the command line.
#ifndef BUSHSTORE_YCSBC_PROPERTIES_H_
#define BUSHSTORE_YCSBC_PROPERTIES_H_

#include <map>
#include <string>

namespace leveldb::ycsbc {

// A file has lines of "name=value", with white space around either. Empty lines and lines that
// begin with # are ignored. A later value of a name overrides an earlier one, and a value given
// with -p overrides those of files.
class Properties {
 public:
  struct Entry {
    std::string value;
    std::string place;  // "FILE:LINE" or "-p"
  };

  // Each returns an error as a sentence without a full stop, or "".
  std::string AddFile(const std::string& path);
  std::string AddText(const std::string& text, const std::string& file_name);
  std::string AddArgument(const std::string& assignment);

  // Returns null if the property was not given.
  const Entry* Find(const std::string& name) const;

  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_PROPERTIES_H_
