// Frees value extents that hold much garbage, by copying the live values out of them.
#ifndef BUSHSTORE_DB_JOBS_GC_JOB_H_
#define BUSHSTORE_DB_JOBS_GC_JOB_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/decide/gc_picker.h"
#include "db/jobs/job_context.h"
#include "db/jobs/tree_output.h"
#include "leveldb/status.h"
#include "pmem/media/held_extents.h"
#include "pmem/value/value_writer.h"

namespace leveldb {

// The state of one run of value-log garbage collection (GC), from its first step to its last: the
// extents that it empties, and where the copies go. Used by one job at a time. The tier must
// outlive it.
class ValueLogGc {
 public:
  ValueLogGc(PmemTier* tier, uint64_t number, GcVictims victims);
  ValueLogGc(const ValueLogGc&) = delete;
  ValueLogGc& operator=(const ValueLogGc&) = delete;

  const GcVictims& victims() const { return victims_; }

  // Sets *moved to a reference to a copy of the value if the value lies in a victim, else to the
  // given reference. The copy's extent is held until EndStep().
  Status Move(const Slice& reference, std::string* moved);

  // Ends a step. Releases the extents that hold its copies, except the one that is being filled: by
  // now a tree holds them, or, if the step has failed, nothing needs them.
  void EndStep(bool is_done);

  uint64_t written_bytes() const { return writer_.written_bytes(); }

  // Returns whether the copies take fewer extents than the victims did. Valid when the GC run is
  // over.
  bool HasFreedSome() const { return extents_filled_ < victims_.extents.size(); }

 private:
  bool IsInVictim(const ValuePiece& piece) const;

  PmemTier* const tier_;
  const GcVictims victims_;
  ValueWriter writer_;
  std::unique_ptr<HeldExtents> held_;
  std::vector<PoolOffset> opened_;
  size_t extents_filled_ = 0;  // by the steps that are done
  size_t extents_opened_ = 0;  // by the current step
  std::vector<ValuePiece> pieces_;
  std::string scratch_;
};

// Returns the extents of the current version that are worth collecting, given `free_bytes` of room
// for copies.
GcVictims LookForGarbage(const JobContext& context, uint64_t free_bytes)
    LOCKS_EXCLUDED(context.state->mutex);

// One step of value-log GC: rewrites one tree.
class GcJob {
 public:
  // `step` has been reserved. `gc` must outlive the job. `yield` is called periodically between
  // entries, and while a tree is finished; it may run a flush or wait for one.
  // REQUIRES: there is a tier.
  GcJob(const JobContext& context, GcStep step, ValueLogGc* gc, std::function<void()> yield);

  // Rewrites the tree, installs the result and publishes it. Errors are recorded as the background
  // error; when the database is closing, the job stops early and leaves no trace.
  JobOutcome Run() LOCKS_EXCLUDED(context_.state->mutex);

 private:
  Status Rewrite() LOCKS_EXCLUDED(context_.state->mutex);
  Status Install(VersionEdit* edit) LOCKS_EXCLUDED(context_.state->mutex);

  const JobContext context_;
  PmemTier* const tier_;
  const GcStep step_;
  ValueLogGc* const gc_;
  const std::function<void()> yield_;
  bool is_written_ = false;  // only the manifest is left to do
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_GC_JOB_H_
