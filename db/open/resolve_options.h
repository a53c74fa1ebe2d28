// The only place where options are looked at, filled in and limited.
#ifndef BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_
#define BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_

#include <memory>
#include <string>

#include "db/state/resolved_options.h"
#include "leveldb/options.h"

namespace leveldb {

// Returns what the database `name` will run with: sizes brought within their limits (tuning
// mistakes are not errors), and a block cache where the caller gave none. Touches no files.
std::unique_ptr<ResolvedOptions> ResolveOptions(const std::string& name, const Options& user);

// Gives the database its info log, the file LOG in its directory, if the caller gave none. The one
// that is there becomes LOG.old. If that can't be done, the database runs without an info log.
void OpenInfoLog(ResolvedOptions* resolved);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_
