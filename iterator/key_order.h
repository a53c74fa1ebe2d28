// KeyOrder: a comparator, and what is known about the bytes of the keys it orders.
//
// Searching and merging are made of comparisons, and each one through a Comparator costs a virtual
// call or two. Most databases order keys by their bytes; where that is known the bytes are compared
// right here and the comparator is asked about ties only.
//
//   key = body | trailer        trailer_size bytes at the end, possibly none
//
// With bytewise bodies, keys sort by body as memcmp would (a proper prefix first); keys with equal
// bodies sort as the comparator says. The folders here know nothing of what a trailer means.
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
  // Keys without a trailer, in the order of `comparator`; BytewiseComparator() is recognised.
  // Implicit, so that whoever has only a comparator can pass just that.
  KeyOrder(const Comparator* comparator)  // NOLINT(google-explicit-constructor)
      : KeyOrder(comparator, 0, comparator == BytewiseComparator()) {}

  // Keys with a trailer. The caller vouches that `comparator` orders them as told above when
  // `has_bytewise_bodies` is set. No key is passed to it that is shorter than a trailer: readers
  // of files take such a key for corruption.
  KeyOrder(const Comparator* comparator, size_t trailer_size, bool has_bytewise_bodies)
      : comparator_(comparator),
        trailer_size_(trailer_size),
        has_bytewise_bodies_(has_bytewise_bodies) {}

  const Comparator* comparator() const { return comparator_; }
  size_t trailer_size() const { return trailer_size_; }
  bool has_bytewise_bodies() const { return has_bytewise_bodies_; }

  // REQUIRES: key.size() >= trailer_size(), here and below.
  size_t BodySize(const Slice& key) const { return key.size() - trailer_size_; }

  // Negative, zero or positive as a sorts before, with or after b.
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
