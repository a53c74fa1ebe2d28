// Converts an entry of the tier to the form that tables store: with its value instead of a
// reference.
#ifndef BUSHSTORE_DB_JOBS_TABLE_ENTRY_H_
#define BUSHSTORE_DB_JOBS_TABLE_ENTRY_H_

#include <string>

#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class Pool;

// Used by one thread at a time.
class TableEntry {
 public:
  // `pool` is the pool that references point into; null if there is no tier, and hence no
  // references.
  explicit TableEntry(const Pool* pool) : pool_(pool) {}

  // Sets the entry to one of a memtable, a tree or a table. Reads and verifies a value that lies in
  // the pool. Returns Corruption if it is not what was written there.
  Status Set(const Slice& key, const Slice& value);

  // Valid until the next Set, and only as long as the slices given to Set and the data they refer
  // to.
  const Slice& key() const { return key_; }
  const Slice& value() const { return value_; }

 private:
  const Pool* const pool_;
  Slice key_;
  Slice value_;
  std::string key_bytes_;
  std::string value_bytes_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TABLE_ENTRY_H_
