// Tells a compaction whether a key may still exist below its output level: if not, a tombstone for
// it has nothing left to hide and can be dropped.

#ifndef BUSHSTORE_DB_DECIDE_DEEPER_LEVELS_CHECK_H_
#define BUSHSTORE_DB_DECIDE_DEEPER_LEVELS_CHECK_H_

#include <array>
#include <cstddef>

#include "db/decide/compaction_plan.h"
#include "db/version/level_limits.h"
#include "leveldb/comparator.h"
#include "leveldb/slice.h"

namespace leveldb {

// Used by one job. Keeps a cursor per level, so that a whole compaction costs one walk.
class DeeperLevelsCheck {
 public:
  // Looks at the plan's own version: a job that has changed deeper levels since then can't have
  // brought this job's keys there, because their files are reserved. `user_comparator` must
  // outlive the object.
  DeeperLevelsCheck(const CompactionPlan& plan, const Comparator* user_comparator);

  // REQUIRES: no key of an earlier call is greater.
  bool MayContain(const Slice& user_key);

 private:
  const VersionPtr version_;
  const int first_level_;
  const Comparator* const user_comparator_;
  std::array<size_t, kNumLevels> cursors_{};
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_DEEPER_LEVELS_CHECK_H_
