// What a database runs with: the caller's options with defaults filled in and limits applied, in
// terms of internal keys. Made once, when the database is opened, and never changed.
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
  // `user` supplies the comparator and the filter policy, which stay the caller's.
  ResolvedOptions(const std::string& name, const Options& user);

  std::string dbname;
  const InternalKeyComparator internal_comparator;
  const InternalFilterPolicy internal_filter_policy;

  // options.comparator and options.filter_policy are the internal ones above.
  Options options;

  // Set where the caller gave none.
  std::unique_ptr<Logger> owned_info_log;
  std::unique_ptr<Cache> owned_block_cache;

  int table_cache_entries = 0;
  int max_running_compactions = 1;
  bool cores_are_few = false;  // for a writer, a flush and a merge at once
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_RESOLVED_OPTIONS_H_
