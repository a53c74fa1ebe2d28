// RecordKeys makes the keys of records: "user" and a number.
#ifndef BUSHSTORE_YCSBC_RECORD_KEYS_H_
#define BUSHSTORE_YCSBC_RECORD_KEYS_H_

#include <cstdint>
#include <string>

#include "leveldb/slice.h"

namespace leveldb::ycsbc {

// With insertorder=ordered the number is the record's, otherwise an image of it that looks random.
// YCSB uses a hash for that; here no two records have the same image, so that every key can be
// mapped back to its record. Immutable.
class RecordKeys {
 public:
  // Numbers are padded to at least `zero_padding` digits.
  RecordKeys(bool hashed, uint64_t zero_padding) : hashed_(hashed), zero_padding_(zero_padding) {}

  void Format(uint64_t record, std::string* key) const;
  std::string KeyOf(uint64_t record) const;

  // Finds the record of the key; returns false if it is not the key of a record.
  bool Parse(const Slice& key, uint64_t* record) const;

  // SortKey orders records as their keys.
  struct SortKey {
    uint64_t digits;  // the text of the number as a fraction
    uint64_t width;   // how many digits it has
    auto operator<=>(const SortKey&) const = default;
  };
  SortKey SortKeyOf(uint64_t record) const;

 private:
  uint64_t NumberOf(uint64_t record) const;

  const bool hashed_;
  const uint64_t zero_padding_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORD_KEYS_H_
