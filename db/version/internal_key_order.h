// Returns the order of internal keys in the form that merging iterators and tables use.
#ifndef BUSHSTORE_DB_VERSION_INTERNAL_KEY_ORDER_H_
#define BUSHSTORE_DB_VERSION_INTERNAL_KEY_ORDER_H_

#include "entry/internal_key.h"
#include "iterator/key_order.h"

namespace leveldb {

// `comparator` must outlive the result.
inline KeyOrder InternalKeyOrder(const InternalKeyComparator& comparator) {
  return KeyOrder(&comparator, kTrailerSize, comparator.is_bytewise());
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_INTERNAL_KEY_ORDER_H_
