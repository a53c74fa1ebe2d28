// Searches the pool for garbage, and carries value-log garbage collection (GC) from tree to tree.
#ifndef BUSHSTORE_DB_JOBS_GC_WORK_H_
#define BUSHSTORE_DB_JOBS_GC_WORK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "db/jobs/gc_job.h"
#include "db/jobs/job_context.h"
#include "db/jobs/tier_room.h"
#include "db/jobs/tier_task.h"

namespace leveldb {

// Picks the steps of value-log GC and keeps its state. At most one GC run is under way.
//
// Guarded by the database mutex, except Run and Look.
// REQUIRES, for all but the constructor, waits and ForgetWait: there is a tier.
class GcWork {
 public:
  // `room` must outlive it.
  GcWork(const JobContext& context, const TierRoom* room) : context_(context), room_(room) {}
  GcWork(const GcWork&) = delete;
  GcWork& operator=(const GcWork&) = delete;

  // Returns the next step of the GC run, or a search for garbage if one is due. Returns nothing if
  // there is neither, or if the GC run has to wait.
  std::optional<TierTask> Pick();

  // Carries a step out. Not guarded.
  void Run(TierTask* task, const std::function<void()>& yield);
  // Searches for extents that are worth collecting. Not guarded.
  void Look(TierTask* task) LOCKS_EXCLUDED(context_.state->mutex);

  // Record how a step has ended, and what a search has found.
  void StepEnded(const TierTask& task);
  void LookEnded(GcVictims found);

  // Makes a search due, because a merge may have made garbage.
  void SuggestLook() { look_is_due_ = gc_ == nullptr; }

  // Ends the GC run, if there is one. REQUIRES: no step of it is running.
  void GiveUp() { End(garbage_bytes_); }

  bool IsUnderWay() const { return gc_ != nullptr; }

  // Returns whether the GC run waits for room that spills make, as of the last Pick.
  bool waits() const { return waits_; }
  // Resets waits(), for when Pick is not called this time.
  void ForgetWait() { waits_ = false; }

  // Returns whether a GC run that is under way, or that a search may begin, may free room.
  bool MayFreeRoom() const { return gc_ != nullptr || (look_is_due_ && !group().empty()); }

  // Returns how much GC can free, as of the last search.
  uint64_t garbage_bytes() const { return garbage_bytes_; }

 private:
  PmemTier* tier() const { return context_.state->tier(); }
  const TreeGroup& group() const { return *context_.state->versions->current()->group(); }
  std::optional<TierTask> PickStepTask(const GcStep& step);
  void End(uint64_t freed_bytes);

  const JobContext context_;
  const TierRoom* const room_;

  std::unique_ptr<ValueLogGc> gc_;  // null: no GC run is under way
  bool look_is_due_ = true;
  bool waits_ = false;
  uint64_t failed_use_ = 0;  // the pool's use when a step found no room though there should be some
  uint64_t garbage_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_GC_WORK_H_
