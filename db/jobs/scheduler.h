// Decides when jobs run: finds work, reserves it, and hands it to the Env's background threads.
//
// Each task in the queue has one Env::Schedule call; the thread that the Env calls takes the first
// task. A flush goes to the front. Since an Env may have a single background thread, a running
// compaction also takes a flush out of the queue and runs it between two entries, so that writers
// never wait for a long compaction. Where processors are few, jobs in the pool yield theirs to a
// flush that writers wait for.
//
// TierWork finds the work of a tier in persistent memory. This work runs concurrently with
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
  // Neither pointer is owned; both must outlive the scheduler.
  Scheduler(DbState* state, TableCache* table_cache);
  ~Scheduler() override;  // REQUIRES: Close() has returned.
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Returns the context for jobs that are run while the database is being opened.
  const JobContext& context() const { return context_; }

  void Raise() override LOCKS_EXCLUDED(context_.state->mutex);
  bool MakeSpace(uint64_t bytes) override EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  // Suggests a compaction of a table whose allowed seeks are spent.
  void SuggestCompaction(const SeekHint& hint) LOCKS_EXCLUDED(context_.state->mutex);

  // Sets the function that is called when nothing was written for some time and a read-triggered
  // compaction pays off even before the next read. The default is SuggestReadTriggeredCompaction().
  // A thread of the scheduler calls it, never after Close().
  void SetOnIdle(std::function<void()> on_idle) LOCKS_EXCLUDED(context_.state->mutex);

  // Suggests a read-triggered compaction: reads of several runs in the group have cost as much as
  // merging these would.
  void SuggestReadTriggeredCompaction() LOCKS_EXCLUDED(context_.state->mutex);

  // Compacts the user keys from `*begin` to `*end` (null: open) of `level` into the next level, and
  // returns when that is done or given up because of an error or of Close().
  void CompactLevel(int level, const Slice* begin, const Slice* end)
      LOCKS_EXCLUDED(context_.state->mutex);

  // Merges the trees that hold user keys from `*begin` to `*end` (null: open), level by level, down
  // to the deepest level of the group that has some. Returns when that is done or given up, as
  // CompactLevel().
  void CompactGroup(const Slice* begin, const Slice* end) LOCKS_EXCLUDED(context_.state->mutex);

  // Moves the trees that hold user keys from `*begin` to `*end` (null: open) and lie over tables to
  // tables, merged with these or above them; does nothing if spilling is off. Called after
  // CompactGroup(). Returns when that is done or given up, as CompactLevel().
  void SpillOntoTables(const Slice* begin, const Slice* end) LOCKS_EXCLUDED(context_.state->mutex);

  // Moves the contents of all trees to tables; if that succeeds, later flushes go to tables.
  // Returns the background error if there is one. Writes may continue meanwhile.
  Status DrainTier() LOCKS_EXCLUDED(context_.state->mutex);

  // Removes the files that no iterator needs any more, and returns when they are gone. This
  // includes files held by jobs that are running or queued at the time of the call, and by calls in
  // other threads.
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

  Reservations reservations_;  // accessed through context_.running
  const JobContext context_;

  // All members below are guarded by context_.state->mutex.
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
