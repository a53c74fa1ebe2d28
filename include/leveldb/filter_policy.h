// FilterPolicy: summarizes sets of keys so that most lookups of absent keys read no data.
//
// The store keeps such filters in its table files, under the policy's name.

#ifndef LEVELDB_INCLUDE_FILTER_POLICY_H_
#define LEVELDB_INCLUDE_FILTER_POLICY_H_

#include <string>

#include "leveldb/export.h"

namespace leveldb {

class Slice;

// Thread-safety: the store calls a policy from several threads at once, so every member must be
// thread-safe. Ownership: the policy belongs to the caller and must outlive each database that uses
// it.
class LEVELDB_EXPORT FilterPolicy {
 public:
  virtual ~FilterPolicy();

  // Returns a fixed name for the encoding of the filters. Change the name when the encoding
  // changes; otherwise old filters are misread.
  virtual const char* Name() const = 0;

  // Appends to *dst a filter for keys[0, n). The keys are in the comparator's order and may contain
  // duplicates. The previous contents of *dst must not be changed.
  virtual void CreateFilter(const Slice* keys, int n, std::string* dst) const = 0;

  // Returns whether key may be among the keys of filter, which one call of CreateFilter appended.
  // Must return true if the key was among them; should return false in most other cases.
  virtual bool KeyMayMatch(const Slice& key, const Slice& filter) const = 0;
};

// Returns a Bloom filter policy with about bits_per_key bits for each key; 10 gives a
// false-positive rate of about 1 %. The caller deletes it after all databases that use it are
// closed.
//
// The filter depends on the bytes of the keys. With a comparator under which keys with different
// bytes are equal, use a custom policy that takes this into account.
LEVELDB_EXPORT const FilterPolicy* NewBloomFilterPolicy(int bits_per_key);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_FILTER_POLICY_H_
