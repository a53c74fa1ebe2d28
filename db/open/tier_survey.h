// What a manifest says of the persistent-memory tier, read without the pool: for repairs, and to
// tell what is lost with a pool. And what it has dropped, which a version does not tell.
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
  std::set<uint64_t> dropped_tables;    // likewise
  uint64_t log_number = 0;              // logs below it are in trees and tables
  // Tables and trees below it are older than the manifest; those from here on that it does not tell
  // of are of edits that are lost, or were never written. The last number that it tells would not
  // do: jobs side by side take their numbers before they write their edits.
  uint64_t first_number = 0;
  uint64_t edits = 0;  // how many could be read
  // Some may be missing: of what was named at last, trees may lack, and others be too many.
  bool is_partial = false;
  Status unreadable;  // not OK: there may be more, but the file could not be read

  // Whether a tree of that number may have been named by an edit that is lost.
  bool IsUnknownTree(uint64_t number) const {
    return (is_partial || number >= first_number) && trees.count(number) == 0 &&
           dropped_trees.count(number) == 0;
  }
};

// Reads the manifest `name` of `dbname` as far as it can be read: what is damaged is passed over.
// Nothing is found if there is no such file.
TierSurvey SurveyTier(Env* env, const std::string& dbname, const std::string& name);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TIER_SURVEY_H_
