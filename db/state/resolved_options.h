// ResolvedOptions is the configuration of an open database: the caller's options with defaults
// filled in and limits applied, in terms of internal keys. Made once, when the database is opened,
// and never changed.
#ifndef BUSHSTORE_DB_STATE_RESOLVED_OPTIONS_H_
#define BUSHSTORE_DB_STATE_RESOLVED_OPTIONS_H_

#include <memory>
#include <string>

#include "entry/internal_filter_policy.h"
#include "entry/internal_key.h"
#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/options.h"

namespace leveldb {

struct ResolvedOptions {
  // `user` supplies the comparator and the filter policy, which the caller still owns.
  ResolvedOptions(const std::string& name, const Options& user);

  std::string dbname;
  const InternalKeyComparator internal_comparator;
  const InternalFilterPolicy internal_filter_policy;

  // options.comparator and options.filter_policy point to the internal ones above.
  Options options;

  // Set if the caller supplied none.
  std::unique_ptr<Logger> owned_info_log;
  std::unique_ptr<Cache> owned_block_cache;

  int table_cache_entries = 0;
  int max_running_compactions = 1;
  bool cores_are_few = false;  // too few for a writer, a flush and a merge at once
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_RESOLVED_OPTIONS_H_
