// Implements DB::GetProperty.
#ifndef BUSHSTORE_DB_PROPERTIES_H_
#define BUSHSTORE_DB_PROPERTIES_H_

#include <string>

#include "db/files/table_cache.h"
#include "db/state/db_state.h"
#include "leveldb/slice.h"

namespace leveldb {

// Sets `*value` to the text of the property and returns true. Returns false and leaves `*value`
// empty if there is no such property (include/leveldb/db.h lists them). May be called from any
// thread.
bool ReadProperty(DbState* state, const TableCache& tables, const Slice& property,
                  std::string* value) LOCKS_EXCLUDED(state->mutex);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_PROPERTIES_H_
