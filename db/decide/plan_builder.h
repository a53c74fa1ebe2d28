// Completes a compaction around the files that it starts from.
//
//   1. Level 0: add every file of the level that overlaps, so that no older version stays above.
//      Other levels: add the files that continue the last user key, for the same reason.
//   2. Add every file of the next level that overlaps, and those that continue its last user key.
//   3. Add further files of the level, if they bring in nothing more from the next one.
//
// A step that needs a file of a running job, or overlaps a range that a running job writes to, ends
// in a conflict.

#ifndef BUSHSTORE_DB_DECIDE_PLAN_BUILDER_H_
#define BUSHSTORE_DB_DECIDE_PLAN_BUILDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "db/decide/compaction_plan.h"
#include "db/decide/reservations.h"
#include "db/version/version.h"

namespace leveldb {

// Adds to *files, which are neighbours of `level`, the files after them that continue the last user
// key. Versions of one user key may straddle files. If the newer ones moved down and the older ones
// stayed, reads would find the older ones first. Files of level 0 are complete already.
void AddContinuations(const Version& version, int level, std::vector<FileMetaPtr>* files);

// Stateless; cheap to make. REQUIRES, for every call: the database mutex is held.
class PlanBuilder {
 public:
  // `running` must outlive the builder.
  PlanBuilder(VersionPtr version, uint64_t max_file_size, const Reservations* running);

  // Returns the plan that compacts at least `seeds`, which are neighbours of `level` in its order;
  // nothing if that conflicts with what is running.
  // REQUIRES: level < kNumLevels - 1; seeds is not empty.
  std::optional<CompactionPlan> Build(int level, std::vector<FileMetaPtr> seeds,
                                      CompactionReason reason) const;

 private:
  struct UserKeys {
    Slice smallest;
    Slice largest;
  };

  // The range of user keys that the files cover. REQUIRES: `files` is not empty.
  UserKeys Cover(const std::vector<FileMetaPtr>& files) const;
  UserKeys Cover(const CompactionPlan& plan) const;
  std::vector<FileMetaPtr> Overlapping(int level, const UserKeys& range) const;
  void Widen(CompactionPlan* plan) const;
  void Describe(CompactionPlan* plan) const;
  bool IsTrivialMove(const CompactionPlan& plan) const;

  const VersionPtr version_;
  const uint64_t max_file_size_;
  const Reservations* const running_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_PLAN_BUILDER_H_
