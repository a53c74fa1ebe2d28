// What a manifest says about the persistent-memory tier, read without the pool: for repairs, and to
// report what is lost with a pool. Also contains what the manifest has dropped, which a version
// does not tell.
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
  std::set<uint64_t> dropped_trees;     // trees that were named, and are no longer
  std::set<uint64_t> dropped_tables;    // likewise
  uint64_t log_number = 0;              // logs below it are in trees and tables
  // Tables and trees with lower numbers are older than the manifest. Those from this number on that
  // it does not name are from edits that are lost, or were never written. The last number that it
  // names would not do: concurrent jobs take their numbers before they write their edits.
  uint64_t first_number = 0;
  uint64_t edits = 0;  // number of edits that could be read
  // Some edits may be missing: named trees may be missing here, and trees here may have been
  // dropped.
  bool is_partial = false;
  Status unreadable;  // not OK: there may be more, but the file could not be read

  // Returns whether a tree of that number may have been named by an edit that is lost.
  bool IsUnknownTree(uint64_t number) const {
    return (is_partial || number >= first_number) && trees.count(number) == 0 &&
           dropped_trees.count(number) == 0;
  }
};

// Reads the manifest `name` of `dbname` as far as it can be read: damaged records are skipped.
// Returns an empty survey if there is no such file.
TierSurvey SurveyTier(Env* env, const std::string& dbname, const std::string& name);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TIER_SURVEY_H_
