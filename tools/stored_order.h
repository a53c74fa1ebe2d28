// Reads the entries of a database whose comparator is not known, in the order in which they are
// stored.
#ifndef BUSHSTORE_TOOLS_STORED_ORDER_H_
#define BUSHSTORE_TOOLS_STORED_ORDER_H_

#include <cstdint>
#include <functional>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

struct StoredEntry {
  std::string file;  // its name in the directory
  Slice key;
  Slice value;
  uint64_t sequence = 0;
  bool is_deletion = false;
};

// Reads the name of the comparator from the manifest of `dbname`.
Status ReadComparatorName(Env* env, const std::string& dbname, std::string* name);

// Passes to `take` the entries of each table that the manifest names, then those of each log that
// may be needed, until `take` returns false. Entries of a file come in their order in the file; a
// key may have several versions, and deletions. Writes nothing. Returns NotSupported for a database
// with a pool, and Corruption for the first damage.
Status ReadStoredEntries(Env* env, const std::string& dbname,
                         const std::function<bool(const StoredEntry&)>& take);

}  // namespace leveldb

#endif  // BUSHSTORE_TOOLS_STORED_ORDER_H_
