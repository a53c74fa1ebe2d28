// Orders other than the built-in one, and a filter policy that goes with the second.
//
// All objects live as long as the program and are thread-safe.

#ifndef BUSHSTORE_TESTING_COMPARATORS_H_
#define BUSHSTORE_TESTING_COMPARATORS_H_

#include "leveldb/comparator.h"
#include "leveldb/filter_policy.h"

namespace leveldb {
namespace testkit {

// Bytes in descending order; named `test.Reverse`, as in golden/db3.
const Comparator* ReverseComparator();

// ASCII letters compare without regard to case: different bytes may be the same key.
const Comparator* CaseInsensitiveComparator();

// A Bloom filter over lower-cased keys, right for CaseInsensitiveComparator().
const FilterPolicy* CaseInsensitiveFilter();

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_COMPARATORS_H_
