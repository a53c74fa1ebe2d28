// Decides when jobs run: looks for work, reserves it, and hands it to the Env's background threads.
//
// A task is put into the queue with one Env::Schedule call for it; the thread that is called takes
// the first task. A flush goes to the front. As an Env may have a single background thread, a
// running compaction also takes a flush out of the queue and runs it between two entries, so that
// writers never wait for a long compaction. And where processors are few, jobs in the pool leave
// theirs to a flush that writers wait for.
//
// What there is to do for a tier in persistent memory is found by TierWork; it runs beside
// compactions, which mostly wait for the disk.
#ifndef BUSHSTORE_DB_JOBS_SCHEDULER_H_
#define BUSHSTORE_DB_JOBS_SCHEDULER_H_

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "db/decide/compaction_picker.h"
#include "db/jobs/flush_job.h"
#include "db/jobs/job_context.h"
#include "db/jobs/manual_job.h"
#include "db/jobs/tier_work.h"
#include "db/state/work_signal.h"
#include "leveldb/status.h"
#include "util/delayed_call.h"

namespace leveldb {

class CompactionJob;

// Thread-safe.
class Scheduler final : public WorkSignal {
 public:
  // Neither is owned; both must outlive the scheduler.
  Scheduler(DbState* state, TableCache* table_cache);
  ~Scheduler() override;  // REQUIRES: Close() has returned.
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // For jobs that are run while the database is being opened.
  const JobContext& context() const { return context_; }

  void Raise() override LOCKS_EXCLUDED(context_.state->mutex);
  bool MakeSpace(uint64_t bytes) override EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  // Says that reads have spent a table's allowed seeks: compacting it would pay.
  void SuggestCompaction(const SeekHint& hint) LOCKS_EXCLUDED(context_.state->mutex);

  // What is called, by a thread of the scheduler's and not after Close(), when nothing was
  // written for some time and a join pays before the next read: SuggestReadTriggeredCompaction()
  // where nothing is set.
  void SetOnIdle(std::function<void()> on_idle) LOCKS_EXCLUDED(context_.state->mutex);

  // Says that reads have paid for several runs in the group what merging them would cost.
  void SuggestReadTriggeredCompaction() LOCKS_EXCLUDED(context_.state->mutex);

  // Compacts the user keys from `*begin` to `*end` (null: open) of `level` into the next level, and
  // returns when that is done or given up because of an error or of Close().
  void CompactLevel(int level, const Slice* begin, const Slice* end)
      LOCKS_EXCLUDED(context_.state->mutex);

  // Merges the trees that hold user keys from `*begin` to `*end` (null: open), level by level, down
  // to the deepest level of the group that has some. Returns likewise.
  void CompactGroup(const Slice* begin, const Slice* end) LOCKS_EXCLUDED(context_.state->mutex);

  // Then moves those of them that lie over tables to tables, merged with these or above them,
  // unless nothing is ever spilled. Returns likewise.
  void SpillOntoTables(const Slice* begin, const Slice* end) LOCKS_EXCLUDED(context_.state->mutex);

  // Moves everything that is in trees to tables, and from then on, if it succeeds, flushes to
  // tables. Returns the background error if there is one. Writes may go on meanwhile.
  Status DrainTier() LOCKS_EXCLUDED(context_.state->mutex);

  // Removes the files that no iterator needs any more, and returns when they are gone: also those
  // that the jobs which are running or queued now, and calls in other threads, have held.
  void CleanUp() LOCKS_EXCLUDED(context_.state->mutex);

  // Waits until no memtable is left to flush. Returns the background error if there is one.
  Status WaitForFlush() LOCKS_EXCLUDED(context_.state->mutex);

  // Stops compactions, waits for all jobs and starts no more.
  void Close() LOCKS_EXCLUDED(context_.state->mutex);

 private:
  enum class TaskKind { kFlush, kCompaction, kTier, kPrefault, kCleanup };
  struct Task {
    explicit Task(TaskKind task_kind) : kind(task_kind) {}

    TaskKind kind;
    uint64_t number = 0;
    std::optional<CompactionPlan> plan;
    uint64_t ticket = 0;
    ManualJob* manual = nullptr;
    FlushTarget flush_target = FlushTarget::kTable;
    std::optional<TierTask> tier;
  };

  void ScheduleWork() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void ScheduleFlush() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void SchedulePoolWork() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void AwaitQuiet() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void LookForQuiet() LOCKS_EXCLUDED(context_.state->mutex);
  void ScheduleDiskWork() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  bool ScheduleCompaction() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  bool ScheduleSpill() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void ScheduleCleanup() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  bool HasGarbage() const EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  bool PickManual(Task* task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void Enqueue(Task task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  int CompactionLimit() const EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  static void RunWorker(void* scheduler);
  void RunNextTask();
  void Run(Task* task);
  void RunFlush(Task* task);
  void RunQueuedFlush();
  bool MustYieldToFlush() const EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void YieldToFlush();
  void Prefault();
  void Complete(std::optional<Task> task);
  void Finish(Task* task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void FinishCompaction(Task* task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  int DeepestOfGroup(const Slice* begin, const Slice* end) LOCKS_EXCLUDED(context_.state->mutex);
  bool RunManual(ManualQueue* queue, int level, const Slice* begin, const Slice* end)
      LOCKS_EXCLUDED(context_.state->mutex);

  Reservations reservations_;  // through context_.running
  const JobContext context_;

  // All guarded by context_.state->mutex.
  std::deque<Task> tasks_;
  TierWork tier_work_;
  uint64_t last_task_ = 0;
  std::set<uint64_t> unfinished_;  // tasks that may hold a version, or clean up after one
  int workers_ = 0;                // Env::Schedule calls that have not returned
  int disk_jobs_ = 0;              // compactions and spills, queued or running
  bool flush_active_ = false;
  bool tree_flush_active_ = false;
  bool prefault_is_due_ = false;
  bool prefault_active_ = false;
  bool cleanup_active_ = false;
  bool closed_ = false;
  std::optional<SeekHint> seek_hint_;
  ManualQueue manual_;

  std::unique_ptr<DelayedCall> quiet_timer_;  // made when it is first needed
  std::function<void()> on_idle_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_SCHEDULER_H_
