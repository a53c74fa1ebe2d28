// Reads properties into variables, and knows at the end which properties were not asked for.
#ifndef BUSHSTORE_YCSBC_PROPERTY_READER_H_
#define BUSHSTORE_YCSBC_PROPERTY_READER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ycsbc/properties.h"

namespace leveldb::ycsbc {

// The variable that a property is read into holds its default before; it is left alone where the
// property was not given or is wrong. The first mistake is kept, later reads go on.
class PropertyReader {
 public:
  // `properties` must outlive the reader.
  explicit PropertyReader(const Properties& properties) : properties_(properties) {}

  // Whole numbers from `least` to `most`.
  void Read(const std::string& name, uint64_t* value, uint64_t least, uint64_t most);
  // The same in bytes, also with K, M or G behind.
  void ReadSize(const std::string& name, uint64_t* value, uint64_t least, uint64_t most);
  void Read(const std::string& name, double* value, double least, double most);
  // true or false, also 1 or 0.
  void Read(const std::string& name, bool* value);
  void Read(const std::string& name, std::string* value);

  // One of `words`; the value is its place in the list.
  void ReadWord(const std::string& name, const std::vector<std::string>& words, int* value);

  // A property that is known and has no meaning here.
  void Ignore(const std::string& name);

  // Whether somebody gave it.
  bool IsGiven(const std::string& name) const { return properties_.Find(name) != nullptr; }

  // Notes a mistake that was found by other means: a sentence without a full stop, "" for none.
  void AddMistake(const std::string& sentence);

  // What is wrong with the properties read so far, or "".
  const std::string& mistake() const { return mistake_; }

  // A sentence about a property that has never been read, with the nearest one that has; "" if
  // there is none.
  std::string FindUnknown() const;

  // All that were read, with the values they have: what a report keeps.
  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  // The entry if the property was given; notes that it is known.
  const Properties::Entry* Take(const std::string& name);
  void AddBadValue(const std::string& name, const Properties::Entry& entry,
                   const std::string& wanted);

  const Properties& properties_;
  std::map<std::string, std::string> values_;
  std::string mistake_;
};

// How many single characters must be changed, added or taken away to make one word the other.
size_t EditDistance(const std::string& a, const std::string& b);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_PROPERTY_READER_H_
