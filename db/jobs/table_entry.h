// An entry of the tier in the form that tables know: with its value.
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
  // `pool` is where references lead; null if there is no tier, and so are no references.
  explicit TableEntry(const Pool* pool) : pool_(pool) {}

  // Takes an entry of a memtable, a tree or a table. A value that lies in the pool is read and
  // checked. Corruption if it is not what was written there.
  Status Set(const Slice& key, const Slice& value);

  // Valid until the next Set, as long as the slices given to it and what they refer to.
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
