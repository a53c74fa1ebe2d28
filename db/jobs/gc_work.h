// Looks for garbage in the pool, and takes a sweep from tree to tree.
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

// Guarded by the database mutex, but for Run and Look. REQUIRES, for all but the constructor, waits
// and ForgetWait: there is a tier.
class GcWork {
 public:
  // `room` must outlive it.
  GcWork(const JobContext& context, const TierRoom* room) : context_(context), room_(room) {}
  GcWork(const GcWork&) = delete;
  GcWork& operator=(const GcWork&) = delete;

  // The next step of the sweep, or a look for garbage where one is due. Nothing if there is
  // neither, or if the sweep has to wait.
  std::optional<TierTask> Pick();

  // Carries a step out. Not guarded.
  void Run(TierTask* task, const std::function<void()>& yield);
  // Finds out what is worth a sweep. Not guarded.
  void Look(TierTask* task) LOCKS_EXCLUDED(context_.state->mutex);

  // Takes note of how a step has ended, and of what a look has found.
  void StepEnded(const TierTask& task);
  void LookEnded(GcVictims found);

  // Says that a merge may have made garbage.
  void SuggestLook() { look_is_due_ = gc_ == nullptr; }

  // Ends the sweep, if there is one. REQUIRES: no step of it is running.
  void GiveUp() { End(garbage_bytes_); }

  bool IsUnderWay() const { return gc_ != nullptr; }

  // Whether the sweep waits for room that spills make, as far as the last Pick has found out.
  bool waits() const { return waits_; }
  // Says that Pick is not going to be asked this time.
  void ForgetWait() { waits_ = false; }

  // Whether a sweep that is under way, or to be made, may free room.
  bool MayFreeRoom() const { return gc_ != nullptr || (look_is_due_ && !group().empty()); }

  // What sweeps can free, as the last look found it.
  uint64_t garbage_bytes() const { return garbage_bytes_; }

 private:
  PmemTier* tier() const { return context_.state->tier(); }
  const TreeGroup& group() const { return *context_.state->versions->current()->group(); }
  std::optional<TierTask> PickStepTask(const GcStep& step);
  void End(uint64_t freed_bytes);

  const JobContext context_;
  const TierRoom* const room_;

  std::unique_ptr<ValueLogGc> gc_;  // null: none is under way
  bool look_is_due_ = true;
  bool waits_ = false;
  uint64_t failed_use_ = 0;  // of the pool, when a step found no room though there should be some
  uint64_t garbage_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_GC_WORK_H_
