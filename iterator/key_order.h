// KeyOrder: a comparator, and what is known about the bytes of the keys it orders.
//
// Searches and merges consist of comparisons, and each one through a Comparator costs a virtual
// call or two. Most databases order keys by their bytes; where that is known the bytes are compared
// inline and the comparator is used for ties only.
//
//   key = body | trailer        trailer_size bytes at the end, possibly none
//
// With bytewise bodies, keys are ordered by body as memcmp would (a proper prefix first), and keys
// with equal bodies by the comparator. The code in iterator/ and table/ does not interpret
// trailers.
#ifndef BUSHSTORE_ITERATOR_KEY_ORDER_H_
#define BUSHSTORE_ITERATOR_KEY_ORDER_H_

#include <cstddef>

#include "leveldb/comparator.h"
#include "leveldb/slice.h"
#include "util/key_bytes.h"

namespace leveldb {

// A value, cheap to copy; safe to share. The comparator must outlive it.
class KeyOrder {
 public:
  // Orders keys without a trailer as `comparator` does; BytewiseComparator() is recognised.
  // Implicit, so that callers that have only a comparator can pass it.
  KeyOrder(const Comparator* comparator)  // NOLINT(google-explicit-constructor)
      : KeyOrder(comparator, 0, comparator == BytewiseComparator()) {}

  // Orders keys with a trailer. If `has_bytewise_bodies` is set, the caller guarantees that
  // `comparator` orders them as described above. No key that is shorter than a trailer is passed to
  // it: readers of files treat such a key as corruption.
  KeyOrder(const Comparator* comparator, size_t trailer_size, bool has_bytewise_bodies)
      : comparator_(comparator),
        trailer_size_(trailer_size),
        has_bytewise_bodies_(has_bytewise_bodies) {}

  const Comparator* comparator() const { return comparator_; }
  size_t trailer_size() const { return trailer_size_; }
  bool has_bytewise_bodies() const { return has_bytewise_bodies_; }

  // REQUIRES: key.size() >= trailer_size(), here and below.
  size_t BodySize(const Slice& key) const { return key.size() - trailer_size_; }

  // Returns a negative number, zero or a positive number if a is before, equal to or after b.
  int Compare(const Slice& a, const Slice& b) const {
    if (has_bytewise_bodies_) {
      const int order = CompareBytes(a.data(), BodySize(a), b.data(), BodySize(b));
      if (order != 0 || trailer_size_ == 0) return order;
    }
    return comparator_->Compare(a, b);
  }

 private:
  const Comparator* comparator_;
  size_t trailer_size_;
  bool has_bytewise_bodies_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_KEY_ORDER_H_
