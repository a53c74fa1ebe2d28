// The only place where options are looked at, filled in and limited.
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

// Returns what the database `name` will run with: sizes brought within their limits (tuning
// mistakes are not errors), and a block cache where the caller gave none. Touches no files.
std::unique_ptr<ResolvedOptions> ResolveOptions(const std::string& name, const Options& user);

// What is asked for a database's tier. Where a pool is, of a database that has one, is said by its
// PMEM file alone (pool_attach.h).
struct PmemRequest {
  // Where to make a pool, if the database is to get one; empty: it gets none.
  std::string path;
  bool must_be_directory = false;
  uint64_t size = 0;  // 0: not said
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;
  // The same for a new pool only: of one that is there the environment says nothing.
  uint64_t size_if_new = 0;
  bool assume_pmem_if_new = false;
  bool guard_faults = false;
  bool prefault = false;

  // An existing plain database gets a pool, too.
  bool convert = false;
  // It is an error if a database that should get a pool can't have one.
  bool require = false;
  // It is an error to open a plain database.
  bool require_tier = false;

  // Why no pool can be made wherever it is: what the environment says makes no sense.
  Status problem;

  PmemTierOptions tier;

  // For tests: what libpmemobj's memory is written through, and small extents.
  PersistFactory persist_factory;
  uint64_t extent_size = 0;
};

// Puts together what the caller of PmemOpen says (null for DB::Open, which can say nothing) and
// what `environment` says, and moves values into their limits. The environment is looked at only
// where `user.env` is the default one.
PmemRequest ResolvePmem(const Options& user, const PmemOptions* caller,
                        const PmemEnvironment& environment);

// The same with the environment of this process.
PmemRequest ResolvePmem(const Options& user, const PmemOptions* caller);

// Gives the database its info log, the file LOG in its directory, if the caller gave none. The one
// that is there becomes LOG.old. If that can't be done, the database runs without an info log.
void OpenInfoLog(ResolvedOptions* resolved);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_RESOLVE_OPTIONS_H_
