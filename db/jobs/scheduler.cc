#include "db/jobs/scheduler.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <system_error>
#include <utility>

#include "db/decide/tree_sizer.h"
#include "db/jobs/cleanup_job.h"
#include "db/jobs/compaction_job.h"
#include "db/jobs/flush_job.h"
#include "db/state/pending_outputs.h"

namespace leveldb {

namespace {

// The score of a level of tables from which on compactions come before spills.
constexpr double kCompactionDebt = 4;

// The interval between checks whether writers have become quiet.
constexpr std::chrono::milliseconds kQuietLook{100};

}  // namespace

Scheduler::Scheduler(DbState* state, TableCache* table_cache)
    : reservations_(state->comparator().user_comparator()),
      context_{state, table_cache, &reservations_},
      tier_work_(context_),
      on_idle_([this] { SuggestReadTriggeredCompaction(); }) {}

Scheduler::~Scheduler() {
  if (context_.state->IsInForkedChild()) quiet_timer_.release();  // its thread is in the parent
  assert(context_.state->IsInForkedChild() || (workers_ == 0 && tasks_.empty() && manual_.empty()));
}

void Scheduler::Raise() {
  if (context_.state->IsInForkedChild()) return;
  MutexLock lock(&context_.state->mutex);
  prefault_is_due_ = true;
  ScheduleWork();
}

// Schedules a cleanup only if no job is running: every job is followed by one.
bool Scheduler::MakeSpace(uint64_t bytes) {
  tier_work_.WriterWaits(bytes);
  ScheduleWork();
  if (closed_ || !context_.state->background_error().ok()) return false;
  if (workers_ == 0 && context_.state->current_view.LastRetiredEpoch() != 0) ScheduleCleanup();
  if (workers_ == 0) tier_work_.WriterGivesUp();
  return workers_ > 0;
}

void Scheduler::SetOnIdle(std::function<void()> on_idle) {
  MutexLock lock(&context_.state->mutex);
  on_idle_ = std::move(on_idle);
}

void Scheduler::SuggestReadTriggeredCompaction() {
  if (context_.state->IsInForkedChild()) return;
  MutexLock lock(&context_.state->mutex);
  tier_work_.SuggestReadTriggeredCompaction();
  ScheduleWork();
}

void Scheduler::SuggestCompaction(const SeekHint& hint) {
  if (context_.state->IsInForkedChild()) return;
  MutexLock lock(&context_.state->mutex);
  seek_hint_ = hint;
  ScheduleWork();
}

// ---- finding work ------------------------------------------------------------------------------

void Scheduler::ScheduleWork() {
  if (closed_ || context_.state->closing.load(std::memory_order_acquire)) return;
  if (!context_.state->background_error().ok()) return;
  if (!tier_work_.failure().ok()) {
    context_.state->RecordBackgroundError("making room in the pool", tier_work_.failure());
    return;
  }
  ScheduleFlush();
  SchedulePoolWork();
  ScheduleDiskWork();
  if (HasGarbage() && workers_ == 0) ScheduleCleanup();
  if (prefault_is_due_ && !prefault_active_ && context_.state->tier() != nullptr) {
    prefault_is_due_ = false;
    prefault_active_ = true;
    Enqueue(Task(TaskKind::kPrefault));
  }
}

void Scheduler::SchedulePoolWork() {
  Task task(TaskKind::kTier);
  task.tier = tier_work_.PickInPool();
  if (task.tier.has_value()) {
    Enqueue(std::move(task));
  } else if (tier_work_.WaitsForQuiet()) {
    AwaitQuiet();
  }
}

// Arms the timer that checks whether writers are quiet, so that work deferred until then is not
// deferred for ever.
void Scheduler::AwaitQuiet() {
  if (quiet_timer_ == nullptr) {
    try {
      quiet_timer_ = std::make_unique<DelayedCall>(kQuietLook, [this] { LookForQuiet(); });
    } catch (const std::system_error&) {  // there can be no more threads
      tier_work_.AssumeQuiet();
      return SchedulePoolWork();
    }
  }
  quiet_timer_->Arm();
}

void Scheduler::LookForQuiet() {
  std::function<void()> suggest;
  {
    MutexLock lock(&context_.state->mutex);
    if (!tier_work_.WaitsForQuiet()) return;
    if (tier_work_.LookForQuiet()) suggest = on_idle_;
    ScheduleWork();
  }
  if (suggest != nullptr) suggest();
}

void Scheduler::ScheduleFlush() {
  const std::shared_ptr<MemTable> memtable = context_.state->immutable();
  if (memtable == nullptr || flush_active_) return;
  const std::optional<FlushTarget> target = tier_work_.ChooseFlush(*memtable);
  if (!target.has_value()) return;
  flush_active_ = true;
  tree_flush_active_ = *target == FlushTarget::kTree;
  Task task(TaskKind::kFlush);
  task.flush_target = *target;
  Enqueue(std::move(task));
}

// Spills come before compactions, unless tables have been spilled faster than they could be
// compacted. If something waits for room in the pool, or a caller for a manual spill, the spill
// does not wait for a compaction.
void Scheduler::ScheduleDiskWork() {
  const bool debt = context_.state->versions->current()->compaction_score() >= kCompactionDebt;
  const bool starved = tier_work_.IsStarved();
  if (starved || !tier_work_.manual_spills()->empty()) ScheduleSpill();
  while (disk_jobs_ < CompactionLimit()) {
    const bool started =
        debt ? ScheduleCompaction() || ScheduleSpill() : ScheduleSpill() || ScheduleCompaction();
    if (!started) return;
  }
}

bool Scheduler::ScheduleSpill() {
  Task task(TaskKind::kTier);
  task.tier = tier_work_.PickSpill();
  if (!task.tier.has_value()) return false;
  disk_jobs_++;
  Enqueue(std::move(task));
  return true;
}

void Scheduler::ScheduleCleanup() {
  if (cleanup_active_) return;
  cleanup_active_ = true;
  Enqueue(Task(TaskKind::kCleanup));
}

bool Scheduler::HasGarbage() const {
  PmemTier* const tier = context_.state->tier();
  return !context_.state->obsolete_files.empty() || (tier != nullptr && !tier->retired()->empty());
}

// Leaves half of the cores to the callers, unless level 0 has grown so much that writes are
// delayed, or something waits for room in the pool.
int Scheduler::CompactionLimit() const {
  const int limit = context_.state->resolved().max_running_compactions;
  const bool behind = context_.state->Level0TableDepth() >= kLevel0SlowdownDepth;
  return behind || tier_work_.IsStarved() ? limit : std::max(1, limit / 2);
}

bool Scheduler::ScheduleCompaction() {
  Task task(TaskKind::kCompaction);
  if (!PickManual(&task)) {
    if (!manual_.empty() && !manual_.front()->running) return false;
    if (tier_work_.manual_spill_waits()) return false;
    const VersionPtr version = context_.state->versions->current();
    task.plan = PickCompaction(version, context_.MakePickerOptions(),
                               seek_hint_.has_value() ? &*seek_hint_ : nullptr);
    seek_hint_.reset();  // readers repeat it as long as it is valid
    if (!task.plan.has_value()) return false;
  }
  task.ticket = context_.running->Reserve(*task.plan);
  disk_jobs_++;
  Enqueue(std::move(task));
  return true;
}

// Picks the next step of the oldest manual compaction. While such a step waits for running jobs, no
// other compaction is started.
bool Scheduler::PickManual(Task* task) {
  while (!manual_.empty() && !manual_.front()->running) {
    ManualJob* const manual = manual_.front();
    ManualPick pick =
        PickRange(context_.state->versions->current(), context_.MakePickerOptions(), manual->range);
    switch (pick.outcome) {
      case ManualPick::kBusy:
        return false;
      case ManualPick::kNothingToDo:
        EndManual(&manual_, manual);
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
  task.number = ++last_task_;
  if (task.kind != TaskKind::kPrefault) unfinished_.insert(task.number);
  tasks_.insert(task.kind == TaskKind::kFlush ? tasks_.begin() : tasks_.end(), std::move(task));
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

// Finishes the task, schedules the work that it has made possible, and destroys the task, so that
// the cleanup that follows can remove the tables it has replaced.
void Scheduler::Complete(std::optional<Task> task) {
  const uint64_t number = task->number;
  {
    MutexLock lock(&context_.state->mutex);
    Finish(&*task);
    ScheduleWork();
  }
  task.reset();
  CleanupJob(context_).Run();
  MutexLock lock(&context_.state->mutex);
  unfinished_.erase(number);  // RunNextTask signals it
}

void Scheduler::Run(Task* task) {
  // The entries of an unflushed memtable are in the log as well.
  if (context_.state->closing.load(std::memory_order_acquire)) return;
  const PendingOutputs pending_outputs(context_.state);
  switch (task->kind) {
    case TaskKind::kFlush:
      RunFlush(task);
      break;
    case TaskKind::kCompaction:
      CompactionJob(context_, *task->plan, [this] { RunQueuedFlush(); }).Run();
      break;
    case TaskKind::kTier: {
      const bool is_in_pool = !task->tier->spill.has_value();
      tier_work_.Run(&*task->tier, [this, is_in_pool] {
        RunQueuedFlush();
        if (is_in_pool) YieldToFlush();
      });
      break;
    }
    case TaskKind::kPrefault:
      Prefault();
      break;
    case TaskKind::kCleanup:
      break;  // Complete does it
  }
}

void Scheduler::RunFlush(Task* task) {
  FlushJob job(context_, task->flush_target);
  const JobOutcome outcome = job.Run();
  MutexLock lock(&context_.state->mutex);
  tier_work_.FlushEnded(job, outcome);
}

// Touches the memory that writers fill next, because the first touch of a page costs more than
// writing it. Runs when a memtable begins, for the largest size that a memtable can have.
void Scheduler::Prefault() {
  DbState* const state = context_.state;
  PmemTier* const tier = state->tier();
  const uint64_t largest_memtable = kWriteBuffersPerMemtable * state->options().write_buffer_size;
  while (tier != nullptr && !state->closing.load(std::memory_order_acquire) &&
         tier->extents()->PrefaultStep(largest_memtable)) {
    RunQueuedFlush();
  }
}

// Runs a flush that is queued but that no thread has begun. Called by compactions.
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

// Returns whether a flush runs on another thread that writers are ahead of. A queued flush does not
// count: it may be waiting for this thread. Jobs in the pool do not yield if level 0 or the pool is
// filling up as well.
bool Scheduler::MustYieldToFlush() const {
  const DbState& state = *context_.state;
  state.mutex.AssertHeld();
  const bool is_queued = !tasks_.empty() && tasks_.front().kind == TaskKind::kFlush;
  return flush_active_ && !is_queued &&
         state.pressure.flush_is_awaited.load(std::memory_order_relaxed) &&
         !state.closing.load(std::memory_order_acquire) &&
         state.Level0Depth() < kLevel0SlowdownDepth && !tier_work_.MaySpillNow() &&
         !tier_work_.IsStarved();
}

// Waits while MustYieldToFlush(). Called by jobs in the pool, which keep a processor busy.
void Scheduler::YieldToFlush() {
  const WritePressure& pressure = context_.state->pressure;
  if (!context_.state->resolved().cores_are_few ||
      !pressure.flush_pending.load(std::memory_order_relaxed) ||
      !pressure.flush_is_awaited.load(std::memory_order_relaxed)) {
    return;
  }
  MutexLock lock(&context_.state->mutex);
  while (MustYieldToFlush()) context_.state->work_finished.Wait();
}

void Scheduler::Finish(Task* task) {
  switch (task->kind) {
    case TaskKind::kFlush:
      flush_active_ = false;
      tree_flush_active_ = false;
      break;
    case TaskKind::kCompaction:
      disk_jobs_--;
      FinishCompaction(task);
      break;
    case TaskKind::kTier:
      if (task->tier->spill.has_value()) disk_jobs_--;
      tier_work_.Finish(&*task->tier);
      break;
    case TaskKind::kPrefault:
      prefault_active_ = false;
      break;
    case TaskKind::kCleanup:
      cleanup_active_ = false;
      break;
  }
  context_.state->work_finished.SignalAll();
}

void Scheduler::FinishCompaction(Task* task) {
  context_.running->Release(task->ticket);
  if (task->manual == nullptr) return;
  ManualJob* const manual = task->manual;
  manual->running = false;
  const std::optional<std::string>& next = task->plan->continue_after;
  if (next.has_value()) {
    manual->GoOnBehind(*next);
  } else {
    EndManual(&manual_, manual);
  }
}

// ---- waiting for it ----------------------------------------------------------------------------

void Scheduler::CompactLevel(int level, const Slice* begin, const Slice* end) {
  RunManual(&manual_, level, begin, end);
}

// Determines the deepest level again after each level: a merge that was running at the start may
// have moved trees deeper.
void Scheduler::CompactGroup(const Slice* begin, const Slice* end) {
  for (int level = 0; level + 1 < kGroupLevels; level++) {
    const int deepest = DeepestOfGroup(begin, end);
    if (deepest < 0 || level >= std::max(deepest, 1)) return;
    if (!RunManual(tier_work_.manual_merges(), level, begin, end)) return;
  }
}

// Skips level 0: CompactGroup() has merged it, and it holds only what was written since. Proceeds
// from above, because merges may move trees deeper meanwhile.
void Scheduler::SpillOntoTables(const Slice* begin, const Slice* end) {
  for (int level = 1; level <= DeepestOfGroup(begin, end); level++) {
    if (!RunManual(tier_work_.manual_spills(), level, begin, end)) return;
  }
}

// Returns the deepest level of the group with trees that overlap the range; -1 if there is none.
int Scheduler::DeepestOfGroup(const Slice* begin, const Slice* end) {
  MutexLock lock(&context_.state->mutex);
  const TreeGroup& group = *context_.state->versions->current()->group();
  for (int level = kGroupLevels - 1; level >= 0; level--) {
    if (group.OverlapInLevel(level, begin, end)) return level;
  }
  return -1;
}

// Queues a manual job for the range and waits for it. Returns false if it was given up.
bool Scheduler::RunManual(ManualQueue* queue, int level, const Slice* begin, const Slice* end) {
  ManualJob manual;
  manual.range.level = level;
  if (begin != nullptr) manual.range.begin = begin->ToString();
  if (end != nullptr) manual.range.end = end->ToString();

  MutexLock lock(&context_.state->mutex);
  queue->push_back(&manual);
  ScheduleWork();
  while (!manual.done) {
    const bool given_up = closed_ || !context_.state->background_error().ok();
    if (given_up && !manual.running) {
      std::erase(*queue, &manual);
      return false;
    }
    context_.state->work_finished.Wait();
  }
  return true;
}

Status Scheduler::DrainTier() {
  MutexLock lock(&context_.state->mutex);
  tier_work_.StartDrain();
  ScheduleWork();
  while (!tier_work_.IsDrained() || tree_flush_active_) {
    if (!context_.state->background_error().ok()) break;
    if (closed_) return Status::IOError(context_.state->dbname(), "is being closed");
    context_.state->work_finished.Wait();
  }
  return context_.state->background_error();
}

void Scheduler::CleanUp() {
  DbState* const state = context_.state;
  {
    MutexLock lock(&state->mutex);
    const uint64_t last = last_task_;
    while (!unfinished_.empty() && *unfinished_.begin() <= last) state->work_finished.Wait();
  }
  CleanupJob(context_, CleanupJob::Readers::kWaitedFor).Run();
  // Another cleanup may be removing some of the files.
  MutexLock lock(&state->mutex);
  while (state->cleanups_removing > 0) state->work_finished.Wait();
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
  if (state->IsInForkedChild()) return;  // the workers are in the parent, and may hold the mutex
  state->closing.store(true, std::memory_order_release);
  {
    MutexLock lock(&state->mutex);
    closed_ = true;
    state->work_finished.SignalAll();
    while (workers_ > 0) state->work_finished.Wait();
    seek_hint_.reset();
  }
  quiet_timer_.reset();
  CleanupJob(context_, CleanupJob::Readers::kGone).Run();
}

}  // namespace leveldb
