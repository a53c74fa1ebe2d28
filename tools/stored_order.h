// The entries of a database whose comparator is not known, as they are stored.
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

// The name of the comparator that the manifest of `dbname` names.
Status ReadComparatorName(Env* env, const std::string& dbname, std::string* name);

// Hands over the entries of each table that the manifest names, then those of each log that it may
// need, until `take` returns false. In a file they come in its order; of a key there may be several
// versions, and deletions. Nothing is written. NotSupported for a database with a pool. Corruption
// for the first damage.
Status ReadStoredEntries(Env* env, const std::string& dbname,
                         const std::function<bool(const StoredEntry&)>& take);

}  // namespace leveldb

#endif  // BUSHSTORE_TOOLS_STORED_ORDER_H_
