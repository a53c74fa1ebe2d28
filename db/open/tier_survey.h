// What a manifest says of the persistent-memory tier, read without the pool: for repairs, and to
// tell what is lost with a pool.
#ifndef BUSHSTORE_DB_OPEN_TIER_SURVEY_H_
#define BUSHSTORE_DB_OPEN_TIER_SURVEY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "db/version/pmem_edit.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree_record.h"

namespace leveldb {

struct TierSurvey {
  struct NamedTree {
    int level = 0;
    TreeRecord record;
  };

  std::optional<TierTag> tag;           // empty: the manifest does not name a tier
  std::map<uint64_t, NamedTree> trees;  // by number
  std::set<uint64_t> dropped_trees;     // that were named, and are not any more
  uint64_t log_number = 0;              // logs below it are in trees and tables
  uint64_t next_file_number = 0;  // no file or tree from here on was known when it was written
  uint64_t edits = 0;             // how many could be read
  // Some may be missing: of what was named at last, trees may lack, and others be too many.
  bool is_partial = false;
  Status unreadable;  // not OK: there may be more, but the file could not be read
};

// Reads the manifest `name` of `dbname` as far as it can be read: what is damaged is passed over.
// Nothing is found if there is no such file.
TierSurvey SurveyTier(Env* env, const std::string& dbname, const std::string& name);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TIER_SURVEY_H_
