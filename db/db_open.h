// Opens a database with parameters that callers cannot give: for tests that replace what the pool's
// memory is written through.
#ifndef BUSHSTORE_DB_DB_OPEN_H_
#define BUSHSTORE_DB_DB_OPEN_H_

#include <string>

#include "db/open/resolve_options.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"

namespace leveldb {

// Opens the database `name` and stores it in *dbptr; the caller deletes it. On failure stores null
// in *dbptr.
Status OpenDatabaseAs(const PmemRequest& request, const Options& options, const std::string& name,
                      PmemDB** dbptr);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DB_OPEN_H_
