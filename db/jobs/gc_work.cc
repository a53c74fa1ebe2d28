#include "db/jobs/gc_work.h"

#include <algorithm>
#include <utility>

#include "db/jobs/cleanup_job.h"

namespace leveldb {

namespace {

// The memtables' trees for which GC steps leave room. Less than kTreesKeptFree: a GC run that has
// begun frees nothing before it is over.
constexpr uint64_t kTreesKeptBySteps = 1;

}  // namespace

// When a GC run is over, another search finds out whether there was more garbage than it had room
// for.
std::optional<TierTask> GcWork::Pick() {
  if (gc_ != nullptr) {
    const GcPick pick = PickGcStep(group(), gc_->victims(), *context_.running);
    if (pick.step.has_value()) return PickStepTask(*pick.step);
    if (!pick.is_over) return std::nullopt;
    look_is_due_ = gc_->HasFreedSome();
    End(look_is_due_ ? gc_->victims().garbage_bytes : garbage_bytes_);
  }
  if (!look_is_due_ || group().empty()) return std::nullopt;
  look_is_due_ = false;
  return TierTask();
}

// Without room for the step the GC run waits for spills, if spilling is on: the values that it has
// moved are in the victims as well as long as those exist.
std::optional<TierTask> GcWork::PickStepTask(const GcStep& step) {
  const uint64_t needed = LiveBytesIn(*step.tree, gc_->victims()) +
                          GcStepBytes(*step.tree, tier()->pool()->extent_size());
  waits_ = room_->IsNoneSince(failed_use_) || needed > room_->FreeBesideFlushes(kTreesKeptBySteps);
  if (waits_) {
    if (!tier()->options().spill) GiveUp();
    return std::nullopt;
  }
  failed_use_ = 0;
  TierTask task;
  task.ticket = context_.running->ReserveRewrite(step.level, step.tree);
  task.gc = step;
  return task;
}

void GcWork::Run(TierTask* task, const std::function<void()>& yield) {
  task->outcome = GcJob(context_, *task->gc, gc_.get(), yield).Run();
}

// Cleans up first: values that replaced views hold are not garbage yet.
void GcWork::Look(TierTask* task) {
  CleanupJob(context_).Run();
  uint64_t free_bytes = 0;
  {
    MutexLock lock(&context_.state->mutex);
    free_bytes = room_->FreeBesideFlushes(kTreesKeptFree);
  }
  task->found = LookForGarbage(context_, free_bytes);
}

void GcWork::StepEnded(const TierTask& task) {
  if (task.outcome != JobOutcome::kNoRoom) return;
  if (tier()->options().spill) {
    failed_use_ = tier()->extents()->used_bytes();
  } else {
    GiveUp();
  }
}

void GcWork::LookEnded(GcVictims found) {
  garbage_bytes_ = found.empty() ? 0 : found.all_garbage_bytes;
  if (gc_ != nullptr) {
    // The search may have found that there is no room for another GC run.
    garbage_bytes_ = std::max(garbage_bytes_, gc_->victims().garbage_bytes);
    return;
  }
  if (found.empty()) return;
  Log(context_.state->info_log(), "value-log GC starts: %llu extents with %llu live bytes",
      static_cast<unsigned long long>(found.extents.size()),
      static_cast<unsigned long long>(found.live_bytes));
  gc_ = std::make_unique<ValueLogGc>(tier(), context_.state->versions->NewFileNumber(),
                                     std::move(found));
}

// Ends the GC run. The next search may find more to free.
void GcWork::End(uint64_t freed_bytes) {
  gc_.reset();
  waits_ = false;
  failed_use_ = 0;
  garbage_bytes_ -= std::min(garbage_bytes_, freed_bytes);
}

}  // namespace leveldb
