// Comparators other than the built-in one, and a filter policy for the case-insensitive one.
//
// All objects live as long as the program and are thread-safe.

#ifndef BUSHSTORE_TESTING_COMPARATORS_H_
#define BUSHSTORE_TESTING_COMPARATORS_H_

#include "leveldb/comparator.h"
#include "leveldb/filter_policy.h"

namespace leveldb {
namespace testkit {

// Returns an order of bytes that descends; its name is `test.Reverse`, as in golden/db3.
const Comparator* ReverseComparator();

// Returns an order in which ASCII letters compare without regard to case: different bytes may be
// the same key.
const Comparator* CaseInsensitiveComparator();

// Returns a Bloom filter over lower-cased keys, for use with CaseInsensitiveComparator().
const FilterPolicy* CaseInsensitiveFilter();

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_COMPARATORS_H_
