// Narrows a binary search over sorted keys without touching the keys.
//
// Keys of one level often share a prefix and differ soon after it. This class keeps, for each key,
// the eight bytes after the common prefix as one big-endian number. The numbers ascend as the keys
// do, are contiguous in memory, and are compared without a branch or a call. Only keys whose
// numbers are equal to that of the target remain to be compared themselves.

#ifndef BUSHSTORE_DB_VERSION_KEY_DIGITS_H_
#define BUSHSTORE_DB_VERSION_KEY_DIGITS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "leveldb/slice.h"

namespace leveldb {

// Immutable, hence thread-safe.
class KeyDigits {
 public:
  struct Range {
    size_t begin;
    size_t end;
  };

  KeyDigits() = default;

  // The bytes of `keys` must outlive the object.
  explicit KeyDigits(const std::vector<Slice>& keys);

  // Returns a range such that all keys before `begin` are less than `key`, and all keys from `end`
  // on are greater.
  // REQUIRES: the keys ascend (not strictly) as their bytes do.
  Range Narrow(const Slice& key) const;

 private:
  uint64_t DigitsOf(const Slice& key) const;

  Slice common_prefix_;
  std::vector<uint64_t> digits_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_KEY_DIGITS_H_
