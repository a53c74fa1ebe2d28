// FilterPolicy: summarises sets of keys so that most lookups of absent keys touch no data.
//
// The store keeps such filters in its table files, under the policy's name.

#ifndef LEVELDB_INCLUDE_FILTER_POLICY_H_
#define LEVELDB_INCLUDE_FILTER_POLICY_H_

#include <string>

#include "leveldb/export.h"

namespace leveldb {

class Slice;

// Thread-safety: called from several threads at once, so every member must be safe for that.
// Ownership: the caller's; it must outlive each database that uses it.
class LEVELDB_EXPORT FilterPolicy {
 public:
  virtual ~FilterPolicy();

  // A fixed name for the filter's encoding. Change it when the encoding changes, or old filters
  // will be misread.
  virtual const char* Name() const = 0;

  // Appends to *dst a filter for keys[0, n). The keys are in the comparator's order and may repeat.
  // What *dst already holds must stay as it is.
  virtual void CreateFilter(const Slice* keys, int n, std::string* dst) const = 0;

  // filter is what one CreateFilter call appended. Must be true when key was among its keys;
  // should mostly be false otherwise.
  virtual bool KeyMayMatch(const Slice& key, const Slice& filter) const = 0;
};

// A Bloom filter with about bits_per_key bits for each key; 10 gives about 1 % false positives.
// The caller deletes it after all databases that use it are closed.
//
// It looks at the bytes of keys. With a comparator that holds keys of different bytes for equal,
// use a policy of your own that knows about it.
LEVELDB_EXPORT const FilterPolicy* NewBloomFilterPolicy(int bits_per_key);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_FILTER_POLICY_H_
