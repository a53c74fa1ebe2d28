// Tells a job whether a key may still exist below its output level: if not, a tombstone of the key
// has nothing left to hide and can be dropped.

#ifndef BUSHSTORE_DB_DECIDE_BASE_LEVEL_CHECK_H_
#define BUSHSTORE_DB_DECIDE_BASE_LEVEL_CHECK_H_

#include <array>
#include <cstddef>

#include "db/version/level_limits.h"
#include "db/version/version.h"
#include "leveldb/slice.h"

namespace leveldb {

// The base-level check. Used by one job. Keeps a cursor per level, so that the checks of a whole
// job cost one walk over each level.
class BaseLevelCheck {
 public:
  // Returns the check of a job that writes tables to `output_level`. It uses the plan's own
  // version: a job that has changed deeper levels since then can't have moved this job's keys
  // there, because their files are reserved.
  static BaseLevelCheck BelowTables(VersionPtr version, int output_level);

  // Returns the check of a job that writes trees to `output_level` of the group. All tables are
  // below.
  static BaseLevelCheck BelowTrees(VersionPtr version, int output_level);

  // Returns false only if no deeper level holds `user_key`.
  // REQUIRES: no key of an earlier call is greater.
  bool MayContain(const Slice& user_key);

 private:
  BaseLevelCheck(VersionPtr version, int first_group_level, int first_level);

  bool TreesMayContain(int level, const Slice& user_key);
  bool TablesMayContain(int level, const Slice& user_key);
  bool Level0MayContain(const Slice& user_key) const;

  const VersionPtr version_;
  const int first_group_level_;
  const int first_level_;
  const InternalKeyComparator& comparator_;
  std::array<size_t, kGroupLevels> tree_cursors_{};
  std::array<size_t, kNumLevels> cursors_{};
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_BASE_LEVEL_CHECK_H_
