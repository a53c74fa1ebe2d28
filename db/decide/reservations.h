// What running jobs have taken for themselves, so that pickers stay out of their way.
//
// Two jobs may run side by side if they have no input in common and, when they write to the same
// level, if their key ranges do not overlap. Nothing else can go wrong between them: every file of
// the output level that overlaps a job's inputs is an input itself, so an older version of a key
// can't change its level while a job decides whether to keep a newer one.

#ifndef BUSHSTORE_DB_DECIDE_RESERVATIONS_H_
#define BUSHSTORE_DB_DECIDE_RESERVATIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/decide/compaction_plan.h"
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

  // Reserves the inputs of `plan` (they become being_compacted) and its range at the output level.
  // Returns a ticket for Release().
  // REQUIRES: the plan conflicts with no other reservation.
  uint64_t Reserve(const CompactionPlan& plan);

  // Reserves a range of user keys, both ends included, at `level`: for the table of a memtable
  // between the choice of its level and its installation.
  // REQUIRES: no job writes there within the range.
  uint64_t ReserveOutput(int level, const Slice& smallest, const Slice& largest);

  // Gives up what was reserved under `ticket`, after the result was installed or given up.
  void Release(uint64_t ticket);

  // Tells whether a running job writes to `level` somewhere within [smallest, largest].
  bool OutputOverlaps(int level, const Slice& smallest, const Slice& largest) const;

  // Tells whether a running job takes its inputs from `level`.
  bool CompactsFrom(int level) const;

  // How many files, and bytes, running jobs are taking away from `level`.
  int FilesLeaving(int level) const;
  uint64_t BytesLeaving(int level) const;

  bool empty() const { return jobs_.empty(); }

 private:
  struct Job {
    int level;  // where the inputs come from, or kMemtable
    int output_level;
    std::string smallest;
    std::string largest;
    std::vector<FileMetaPtr> leaving;      // inputs from `level`
    std::vector<FileMetaPtr> overwritten;  // inputs from `output_level`
  };

  static constexpr int kMemtable = -1;

  uint64_t Add(Job job);

  const Comparator* const user_comparator_;
  uint64_t next_ticket_ = 1;
  std::map<uint64_t, Job> jobs_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_RESERVATIONS_H_
