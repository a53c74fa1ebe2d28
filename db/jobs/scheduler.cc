#include "db/jobs/scheduler.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/jobs/cleanup_job.h"
#include "db/jobs/compaction_job.h"
#include "db/jobs/flush_job.h"

namespace leveldb {

// A CompactLevel call in progress; lives on its caller's stack.
struct Scheduler::ManualCompaction {
  ManualRange range;
  bool running = false;  // a step is queued or running
  bool done = false;
};

Scheduler::Scheduler(DbState* state, TableCache* table_cache)
    : reservations_(state->comparator().user_comparator()),
      context_{state, table_cache, &reservations_} {}

Scheduler::~Scheduler() {
  assert(context_.state->IsInForkedChild() || (workers_ == 0 && tasks_.empty() && manual_.empty()));
}

void Scheduler::Raise() {
  MutexLock lock(&context_.state->mutex);
  ScheduleWork();
}

void Scheduler::SuggestCompaction(const SeekHint& hint) {
  MutexLock lock(&context_.state->mutex);
  seek_hint_ = hint;
  ScheduleWork();
}

// ---- finding work ------------------------------------------------------------------------------

void Scheduler::ScheduleWork() {
  if (closed_ || context_.state->closing.load(std::memory_order_acquire)) return;
  if (context_.state->IsInForkedChild()) return;
  if (!context_.state->background_error().ok()) return;
  if (context_.state->immutable() != nullptr && !flush_active_) {
    flush_active_ = true;
    Enqueue({TaskKind::kFlush, std::nullopt});
  }
  while (compactions_ < CompactionLimit() && ScheduleCompaction()) {
  }
  if (!context_.state->obsolete_files.empty() && workers_ == 0 && !cleanup_active_) {
    cleanup_active_ = true;
    Enqueue({TaskKind::kCleanup, std::nullopt});
  }
}

// Half of the cores are left to the callers, until level 0 has grown so much that writes are slowed
// down.
int Scheduler::CompactionLimit() const {
  const int limit = context_.state->resolved().max_running_compactions;
  const bool behind = context_.state->versions->current()->num_files(0) >= kLevel0SlowdownTrigger;
  return behind ? limit : std::max(1, limit / 2);
}

bool Scheduler::ScheduleCompaction() {
  Task task{TaskKind::kCompaction, std::nullopt};
  if (!PickManual(&task)) {
    if (!manual_.empty() && !manual_.front()->running) return false;
    const VersionPtr version = context_.state->versions->current();
    task.plan = PickCompaction(version, context_.MakePickerOptions(),
                               seek_hint_.has_value() ? &*seek_hint_ : nullptr);
    seek_hint_.reset();  // readers repeat it as long as it holds
    if (!task.plan.has_value()) return false;
  }
  task.ticket = context_.running->Reserve(*task.plan);
  compactions_++;
  Enqueue(std::move(task));
  return true;
}

// Picks the next step of the oldest manual compaction. While such a step waits for running jobs, no
// other compaction is started.
bool Scheduler::PickManual(Task* task) {
  while (!manual_.empty() && !manual_.front()->running) {
    ManualCompaction* const manual = manual_.front();
    ManualPick pick =
        PickRange(context_.state->versions->current(), context_.MakePickerOptions(), manual->range);
    switch (pick.outcome) {
      case ManualPick::kBusy:
        return false;
      case ManualPick::kNothingToDo:
        manual->done = true;
        manual_.pop_front();
        context_.state->work_finished.SignalAll();
        continue;
      case ManualPick::kPlan:
        manual->running = true;
        task->plan = std::move(pick.plan);
        task->manual = manual;
        return true;
    }
  }
  return false;
}

void Scheduler::Enqueue(Task task) {
  if (task.kind == TaskKind::kFlush) {
    tasks_.push_front(std::move(task));
  } else {
    tasks_.push_back(std::move(task));
  }
  workers_++;
  context_.state->env()->Schedule(&Scheduler::RunWorker, this);
}

// ---- doing it ----------------------------------------------------------------------------------

void Scheduler::RunWorker(void* scheduler) {
  static_cast<Scheduler*>(scheduler)->RunNextTask();
}

void Scheduler::RunNextTask() {
  std::optional<Task> task;
  {
    MutexLock lock(&context_.state->mutex);
    if (!tasks_.empty()) {  // else a compaction has taken the flush
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
  }
  if (task.has_value()) {
    Run(&*task);
    Complete(std::move(task));
  }
  MutexLock lock(&context_.state->mutex);
  workers_--;
  ScheduleWork();
  context_.state->work_finished.SignalAll();
}

// Lets go of the task, so that the tables it has replaced can go, starts what it has made possible,
// and cleans up.
void Scheduler::Complete(std::optional<Task> task) {
  {
    MutexLock lock(&context_.state->mutex);
    Finish(&*task);
    ScheduleWork();
  }
  task.reset();
  CleanupJob(context_).Run();
}

void Scheduler::Run(Task* task) {
  // What a flush would save is in the log as well.
  if (context_.state->closing.load(std::memory_order_acquire)) return;
  switch (task->kind) {
    case TaskKind::kFlush:
      FlushJob(context_).Run();
      break;
    case TaskKind::kCompaction:
      CompactionJob(context_, *task->plan, [this] { RunQueuedFlush(); }).Run();
      break;
    case TaskKind::kCleanup:
      break;  // Complete does it
  }
}

// Called by compactions: runs a flush that is queued but that no thread has come to yet.
void Scheduler::RunQueuedFlush() {
  DbState* const state = context_.state;
  if (!state->pressure.flush_pending.load(std::memory_order_relaxed)) return;
  std::optional<Task> flush;
  {
    MutexLock lock(&state->mutex);
    if (tasks_.empty() || tasks_.front().kind != TaskKind::kFlush) return;
    flush = std::move(tasks_.front());
    tasks_.pop_front();
  }
  Run(&*flush);
  Complete(std::move(flush));
}

void Scheduler::Finish(Task* task) {
  switch (task->kind) {
    case TaskKind::kFlush:
      flush_active_ = false;
      break;
    case TaskKind::kCompaction: {
      compactions_--;
      context_.running->Release(task->ticket);
      if (task->manual == nullptr) break;
      ManualCompaction* const manual = task->manual;
      manual->running = false;
      const std::optional<std::string>& next = task->plan->continue_after;
      if (next.has_value()) {
        manual->range.begin = *next;
        manual->range.begin_is_exclusive = true;
      } else {
        manual->done = true;
        manual_.erase(std::find(manual_.begin(), manual_.end(), manual));
      }
      break;
    }
    case TaskKind::kCleanup:
      cleanup_active_ = false;
      break;
  }
  context_.state->work_finished.SignalAll();
}

// ---- waiting for it ----------------------------------------------------------------------------

void Scheduler::CompactLevel(int level, const Slice* begin, const Slice* end) {
  ManualCompaction manual;
  manual.range.level = level;
  if (begin != nullptr) manual.range.begin = begin->ToString();
  if (end != nullptr) manual.range.end = end->ToString();

  MutexLock lock(&context_.state->mutex);
  manual_.push_back(&manual);
  ScheduleWork();
  while (!manual.done) {
    const bool given_up = closed_ || !context_.state->background_error().ok();
    if (given_up && !manual.running) {
      manual_.erase(std::find(manual_.begin(), manual_.end(), &manual));
      return;
    }
    context_.state->work_finished.Wait();
  }
}

Status Scheduler::WaitForFlush() {
  DbState* const state = context_.state;
  MutexLock lock(&state->mutex);
  while (state->immutable() != nullptr && state->background_error().ok()) {
    state->work_finished.Wait();
  }
  return state->background_error();
}

void Scheduler::Close() {
  DbState* const state = context_.state;
  state->closing.store(true, std::memory_order_release);
  {
    MutexLock lock(&state->mutex);
    closed_ = true;
    state->work_finished.SignalAll();
    // In a forked child the workers are in the parent.
    while (workers_ > 0 && !state->IsInForkedChild()) state->work_finished.Wait();
    seek_hint_.reset();
  }
  CleanupJob(context_, /*readers_are_gone=*/true).Run();
}

}  // namespace leveldb
