// Decides which entries a merge of sorted sources leaves out.
#ifndef BUSHSTORE_DB_JOBS_VISIBILITY_RULE_H_
#define BUSHSTORE_DB_JOBS_VISIBILITY_RULE_H_

#include <string>

#include "db/decide/base_level_check.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"

namespace leveldb {

// The visibility rule. Used by one job, which passes it every entry in ascending order.
//
//  * An entry is shadowed, and dropped, if a newer one of the same user key is itself visible to
//    every snapshot that could see the older one, that is, if the newer one's sequence is at most
//    the smallest snapshot.
//  * A tombstone is dropped if every reader sees it, and no deeper level may hold the key.
class VisibilityRule {
 public:
  // Neither pointer is owned; both must outlive the rule. If `base_level_check` is null, deeper
  // levels are assumed to hold any key.
  VisibilityRule(const InternalKeyComparator* comparator, SequenceNumber smallest_snapshot,
                 BaseLevelCheck* base_level_check)
      : comparator_(comparator),
        smallest_snapshot_(smallest_snapshot),
        base_level_check_(base_level_check) {}

  // Returns whether to leave out the entry with this key. A key that cannot be parsed is kept, so
  // that damage is not hidden.
  bool ShouldDrop(const Slice& internal_key);

 private:
  const InternalKeyComparator* const comparator_;
  const SequenceNumber smallest_snapshot_;
  BaseLevelCheck* const base_level_check_;

  std::string user_key_;  // of the entries being processed
  bool has_user_key_ = false;
  SequenceNumber newer_sequence_ = kMaxSequenceNumber;  // of the previous entry of the user key
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_VISIBILITY_RULE_H_
