// Comparator: a total order of the keys of a database.
//
// Keys that compare equal are the same key, even when their bytes differ. A database stores the
// name of its comparator and cannot be opened with a comparator of another name.

#ifndef LEVELDB_INCLUDE_COMPARATOR_H_
#define LEVELDB_INCLUDE_COMPARATOR_H_

#include <string>

#include "leveldb/export.h"

namespace leveldb {

class Slice;

// Thread-safety: the store calls a comparator from several threads at once, so every member must be
// thread-safe. Ownership: the comparator belongs to the caller and must outlive each database that
// uses it.
class LEVELDB_EXPORT Comparator {
 public:
  virtual ~Comparator();

  // Returns a negative value, zero or a positive value if a sorts before, equals or sorts after b.
  // Any bytes may be passed.
  virtual int Compare(const Slice& a, const Slice& b) const = 0;

  // Returns a fixed name for this order, which is stored in the database. Change the name when the
  // order changes. Names that begin with "leveldb." are reserved.
  virtual const char* Name() const = 0;

  // Index entries hold separators between keys rather than whole keys. The following two functions
  // may shorten them; an implementation that does nothing is correct.

  // May replace *start by a shorter string s with *start <= s < limit. REQUIRES: *start < limit.
  virtual void FindShortestSeparator(std::string* start, const Slice& limit) const = 0;

  // May replace *key by a shorter string that does not sort before it.
  virtual void FindShortSuccessor(std::string* key) const = 0;
};

// Returns the default order: lexicographic by unsigned bytes, with a proper prefix before the
// longer key. The object belongs to the library and is never deleted.
LEVELDB_EXPORT const Comparator* BytewiseComparator();

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_COMPARATOR_H_
