// The way into a database for those who have more to say than callers can: tests that put something
// under the pool.
#ifndef BUSHSTORE_DB_DB_OPEN_H_
#define BUSHSTORE_DB_DB_OPEN_H_

#include <string>

#include "db/open/resolve_options.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"

namespace leveldb {

// Opens the database `name` and stores it in *dbptr, for the caller to delete. On failure *dbptr is
// null.
Status OpenDatabaseAs(const PmemRequest& request, const Options& options, const std::string& name,
                      PmemDB** dbptr);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DB_OPEN_H_
