// PointGet looks up a key in a view: first in the memtables, then in the group of trees, then in
// the levels, from the newest data to the oldest.
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

// What a lookup had to search.
struct LookupTrace {
  // Whether the group was searched, because the memtables did not have the key.
  bool asked_group = false;
  // A table that was searched without success before another one had to be searched; it is in the
  // view's version, or null. Compacting it with the tables below would make lookups and, if no
  // filter helps, scans cheaper.
  const FileMetaPtr* file = nullptr;
  int level = 0;
};

// Sets `*value` to the newest version of the key that is visible at the lookup key's sequence and
// returns OK. Returns NotFound if there is none or it is a tombstone, or the error that prevented
// the search. REQUIRES: the view stays alive during the call.
Status PointGet(const ReadView& view, TableCache* table_cache, const ReadOptions& options,
                const LookupKey& key, const ValueResolver& values, std::string* value,
                LookupTrace* trace);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_POINT_GET_H_
