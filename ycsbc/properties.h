// Properties of a run: names and values, from files and from the command line.
#ifndef BUSHSTORE_YCSBC_PROPERTIES_H_
#define BUSHSTORE_YCSBC_PROPERTIES_H_

#include <map>
#include <string>

namespace leveldb::ycsbc {

// A file is lines of "name=value", with white space around either. Empty lines and lines that begin
// with # are left out. Of two values of a name the later counts, and one that was given with -p
// counts before any in a file.
class Properties {
 public:
  struct Entry {
    std::string value;
    std::string place;  // "FILE:LINE" or "-p"
  };

  // Each returns what is wrong as a sentence without a full stop, or "".
  std::string AddFile(const std::string& path);
  std::string AddText(const std::string& text, const std::string& file_name);
  std::string AddArgument(const std::string& assignment);

  // Null if it was not given.
  const Entry* Find(const std::string& name) const;

  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_PROPERTIES_H_
