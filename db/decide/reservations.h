// Records the files, trees and key ranges that running jobs use, so that pickers avoid conflicts
// with them.
//
// Two jobs may run concurrently if they have no input in common and, when they write to the same
// level, if their key ranges do not overlap. No other conflict is possible: every file of the
// output level that overlaps a job's inputs is an input itself, so an older version of a key can't
// change its level while a job decides whether to keep a newer one.
//
// The same holds for the levels of the group, and from one tier to the other: a spill takes the
// oldest entries that the group has of its keys, and writes above all tables that hold them.

#ifndef BUSHSTORE_DB_DECIDE_RESERVATIONS_H_
#define BUSHSTORE_DB_DECIDE_RESERVATIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/decide/compaction_plan.h"
#include "db/decide/merge_plan.h"
#include "db/decide/spill_plan.h"
#include "db/version/file_meta.h"
#include "leveldb/comparator.h"
#include "leveldb/slice.h"

namespace leveldb {

// Guarded by the database mutex.
class Reservations {
 public:
  // `user_comparator` must outlive the object.
  explicit Reservations(const Comparator* user_comparator) : user_comparator_(user_comparator) {}

  Reservations(const Reservations&) = delete;
  Reservations& operator=(const Reservations&) = delete;

  // Reserves the inputs of `plan` (tables become being_compacted, trees busy) and its range at the
  // output level. Returns a ticket for Release().
  // REQUIRES: the plan conflicts with no other reservation.
  uint64_t Reserve(const CompactionPlan& plan);
  uint64_t Reserve(const MergePlan& plan);
  uint64_t Reserve(const SpillPlan& plan);

  // Reserves a tree of `level` of the group that is rewritten and replaced there.
  uint64_t ReserveRewrite(int level, const TreePtr& tree);

  // Reserves a range of user keys, both ends included, at `level`. Used for the table of a memtable
  // between the choice of its level and its installation.
  // REQUIRES: no job writes there within the range.
  uint64_t ReserveOutput(int level, const Slice& smallest, const Slice& largest);

  // Releases the reservation `ticket`, after the result was installed or abandoned.
  void Release(uint64_t ticket);

  // Returns whether a running job writes to `level` somewhere within [smallest, largest].
  bool OutputOverlaps(int level, const Slice& smallest, const Slice& largest) const;

  // Returns whether a running job takes its inputs from `level`.
  bool CompactsFrom(int level) const;

  // Return how many files, and bytes, running jobs are taking away from `level`.
  int FilesLeaving(int level) const;
  uint64_t BytesLeaving(int level) const;

  // Return whether the tree is an input of a running job, and whether that job also moves it out of
  // its level.
  bool TreeIsBusy(uint64_t number) const;
  bool IsLeaving(uint64_t number) const;

  // Returns whether a running job writes trees to `level` of the group within [smallest, largest].
  bool TreesOverlap(int level, const Slice& smallest, const Slice& largest) const;

  // Returns whether a running merge takes its inputs from `level` of the group.
  bool MergesFrom(int level) const;

  bool empty() const { return jobs_.empty(); }

 private:
  struct Job {
    int level = kNoLevel;  // where the tables come from
    int output_level = kNoLevel;
    std::string smallest;
    std::string largest;
    std::vector<FileMetaPtr> leaving;      // inputs from `level`
    std::vector<FileMetaPtr> overwritten;  // inputs from `output_level`

    int merge_level = kNoLevel;  // the level of the group a merge takes trees from
    int tree_output_level = kNoLevel;
    std::vector<uint64_t> trees_leaving;
    std::vector<uint64_t> trees_overwritten;
  };

  static constexpr int kNoLevel = -1;

  uint64_t Add(Job job);
  bool Overlaps(const Job& job, const Slice& smallest, const Slice& largest) const;

  const Comparator* const user_comparator_;
  uint64_t next_ticket_ = 1;
  std::map<uint64_t, Job> jobs_;
  std::map<uint64_t, bool> busy_trees_;  // by number: whether the tree is leaving its level
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_RESERVATIONS_H_
