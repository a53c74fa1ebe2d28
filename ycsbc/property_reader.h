// PropertyReader reads properties into variables, and reports at the end which properties were
// never read.
#ifndef BUSHSTORE_YCSBC_PROPERTY_READER_H_
#define BUSHSTORE_YCSBC_PROPERTY_READER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ycsbc/properties.h"

namespace leveldb::ycsbc {

// The variable that a property is read into holds the default beforehand; it does not change if the
// property was not given or is invalid. The first error is kept, and later reads continue.
class PropertyReader {
 public:
  // `properties` must outlive the reader.
  explicit PropertyReader(const Properties& properties) : properties_(properties) {}

  // Reads a whole number from `least` to `most`.
  void Read(const std::string& name, uint64_t* value, uint64_t least, uint64_t most);
  // Reads a size in bytes, which may end with K, M or G.
  void ReadSize(const std::string& name, uint64_t* value, uint64_t least, uint64_t most);
  void Read(const std::string& name, double* value, double least, double most);
  // Reads true or false, or 1 or 0.
  void Read(const std::string& name, bool* value);
  void Read(const std::string& name, std::string* value);

  // Reads one of `words`; the value is its index in the list.
  void ReadWord(const std::string& name, const std::vector<std::string>& words, int* value);

  // Marks a property that is known but has no effect here.
  void Ignore(const std::string& name);

  // Returns whether the property was given.
  bool IsGiven(const std::string& name) const { return properties_.Find(name) != nullptr; }

  // Records an error that was found by other means: a sentence without a full stop, "" for none.
  void AddMistake(const std::string& sentence);

  // Returns the first error of the properties read so far, or "".
  const std::string& mistake() const { return mistake_; }

  // Returns a sentence about a property that has never been read, with the most similar one that
  // has been; "" if there is none.
  std::string FindUnknown() const;

  // Returns all properties that were read, with their values, for a report.
  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  // Returns the entry if the property was given; marks it as known.
  const Properties::Entry* Take(const std::string& name);
  void AddBadValue(const std::string& name, const Properties::Entry& entry,
                   const std::string& wanted);

  const Properties& properties_;
  std::map<std::string, std::string> values_;
  std::string mistake_;
};

// Returns how many single characters must be changed, added or removed to turn one word into the
// other.
size_t EditDistance(const std::string& a, const std::string& b);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_PROPERTY_READER_H_
