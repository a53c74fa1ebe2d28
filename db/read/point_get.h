// Looks a key up in a view: memtables first, then the group of trees, then the levels, from the
// newest data to the oldest.
#ifndef BUSHSTORE_DB_READ_POINT_GET_H_
#define BUSHSTORE_DB_READ_POINT_GET_H_

#include <string>

#include "db/files/table_cache.h"
#include "db/read/value_resolve.h"
#include "db/state/read_view.h"
#include "entry/internal_key.h"
#include "leveldb/options.h"
#include "leveldb/status.h"

namespace leveldb {

// What a lookup had to ask.
struct LookupTrace {
  // The group, because the memtables did not know the key.
  bool asked_group = false;
  // A table that was asked in vain before another one had to be: in the view's version, or null.
  // Compacting it with the tables below would make lookups and, where no filter helps, scans
  // cheaper.
  const FileMetaPtr* file = nullptr;
  int level = 0;
};

// Sets `*value` to the newest version of the key that is visible at the lookup key's sequence and
// returns OK, or NotFound if there is none or it is a tombstone, or the error that kept it from
// knowing.
// REQUIRES: the view stays alive during the call.
Status PointGet(const ReadView& view, TableCache* table_cache, const ReadOptions& options,
                const LookupKey& key, const ValueResolver& values, std::string* value,
                LookupTrace* trace);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_POINT_GET_H_
