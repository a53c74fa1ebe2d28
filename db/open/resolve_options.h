// Checks options, fills in defaults and applies limits. No other code does this.
#ifndef BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_
#define BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_

#include <memory>
#include <string>

#include "db/open/pmem_environment.h"
#include "db/state/resolved_options.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "pmem/pmem_tier.h"

namespace leveldb {

// Returns the options that the database `name` will use: sizes within their limits (bad tuning is
// not an error), and a block cache if the caller gave none. Accesses no files.
std::unique_ptr<ResolvedOptions> ResolveOptions(const std::string& name, const Options& user);

// The requested tier of a database. For a database that has a pool, its PMEM file alone determines
// the pool's path (pool_attach.h).
struct PmemRequest {
  // Where to create a pool, if the database is to get one; empty: it gets none.
  std::string path;
  bool must_be_directory = false;
  uint64_t size = 0;  // 0: not set
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;
  // The same for a new pool only: the environment does not apply to an existing pool.
  uint64_t size_if_new = 0;
  bool assume_pmem_if_new = false;
  bool guard_faults = false;
  bool prefault = false;

  // An existing plain database gets a pool, too.
  bool convert = false;
  // It is an error if a database that should get a pool cannot get one.
  bool require = false;
  // It is an error to open a plain database.
  bool require_tier = false;

  // Why no pool can be created: a variable of the environment has an invalid value.
  Status problem;

  PmemTierOptions tier;

  // For tests: replaces what libpmemobj's memory is written through, and sets small extents.
  PersistFactory persist_factory;
  uint64_t extent_size = 0;
};

// Combines the options of the caller of PmemOpen (null for DB::Open, which has none) with the
// environment, and limits their values. The environment is used only if `user.env` is the default
// Env.
PmemRequest ResolvePmem(const Options& user, const PmemOptions* caller,
                        const PmemEnvironment& environment);

// Like the above, with the environment of this process.
PmemRequest ResolvePmem(const Options& user, const PmemOptions* caller);

// Opens the database's info log, the file LOG in its directory, if the caller gave none. An
// existing file becomes LOG.old. If LOG cannot be created, the database has no info log.
void OpenInfoLog(ResolvedOptions* resolved);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_
