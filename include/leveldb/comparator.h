// Comparator: the total order of the keys of a database.
//
// Keys that compare equal are the same key, even when their bytes differ. A database remembers
// the name of its comparator and refuses to be opened with one of another name.

#ifndef LEVELDB_INCLUDE_COMPARATOR_H_
#define LEVELDB_INCLUDE_COMPARATOR_H_

#include <string>

#include "leveldb/export.h"

namespace leveldb {

class Slice;

// Thread-safety: the store calls a comparator from several threads at once, so every member must
// be safe for that. Ownership: the caller's; it must outlive each database that uses it.
class LEVELDB_EXPORT Comparator {
 public:
  virtual ~Comparator();

  // Negative, zero or positive as a sorts before, with or after b. Any bytes may be passed.
  virtual int Compare(const Slice& a, const Slice& b) const = 0;

  // A fixed name for this order. Change it when the order changes: it is stored in the database.
  // Names beginning with "leveldb." are taken.
  virtual const char* Name() const = 0;

  // Index entries hold separators between keys rather than whole keys. These two may shorten
  // them; doing nothing is always right.

  // With *start < limit: may replace *start by a shorter string s with *start <= s < limit.
  virtual void FindShortestSeparator(std::string* start, const Slice& limit) const = 0;

  // May replace *key by a shorter string that does not sort before it.
  virtual void FindShortSuccessor(std::string* key) const = 0;
};

// The default order: unsigned bytes from the left, a prefix before the longer key. The object
// lives as long as the process and belongs to the library.
LEVELDB_EXPORT const Comparator* BytewiseComparator();

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_COMPARATOR_H_
