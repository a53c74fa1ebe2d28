// Decides when jobs run: looks for work, reserves it, and hands it to the Env's background threads.
//
// A task is put into the queue with one Env::Schedule call for it; whoever is called takes the
// first task. A flush goes to the front. As an Env may have a single background thread, a running
// compaction also takes a flush out of the queue and runs it between two entries, so that writers
// never wait for a long compaction.
#ifndef BUSHSTORE_DB_JOBS_SCHEDULER_H_
#define BUSHSTORE_DB_JOBS_SCHEDULER_H_

#include <deque>
#include <memory>
#include <optional>

#include "db/decide/compaction_picker.h"
#include "db/jobs/job_context.h"
#include "db/state/work_signal.h"
#include "leveldb/status.h"

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

  // Says that reads have spent a table's allowed seeks: compacting it would pay.
  void SuggestCompaction(const SeekHint& hint) LOCKS_EXCLUDED(context_.state->mutex);

  // Compacts the user keys from `*begin` to `*end` (null: open) of `level` into the next level, and
  // returns when that is done or given up because of an error or of Close().
  void CompactLevel(int level, const Slice* begin, const Slice* end)
      LOCKS_EXCLUDED(context_.state->mutex);

  // Waits until no memtable is left to flush. Returns the background error if there is one.
  Status WaitForFlush() LOCKS_EXCLUDED(context_.state->mutex);

  // Stops compactions, waits for all jobs and starts no more.
  void Close() LOCKS_EXCLUDED(context_.state->mutex);

 private:
  enum class TaskKind { kFlush, kCompaction, kCleanup };
  struct ManualCompaction;
  struct Task {
    TaskKind kind;
    std::optional<CompactionPlan> plan;
    uint64_t ticket = 0;
    ManualCompaction* manual = nullptr;
  };

  void ScheduleWork() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  bool ScheduleCompaction() EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  bool PickManual(Task* task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void Enqueue(Task task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  int CompactionLimit() const EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  static void RunWorker(void* scheduler);
  void RunNextTask();
  void Run(Task* task);
  void RunQueuedFlush();
  void Complete(std::optional<Task> task);
  void Finish(Task* task) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  Reservations reservations_;  // through context_.running
  const JobContext context_;

  // All guarded by context_.state->mutex.
  std::deque<Task> tasks_;
  int workers_ = 0;      // Env::Schedule calls that have not returned
  int compactions_ = 0;  // queued or running
  bool flush_active_ = false;
  bool cleanup_active_ = false;
  bool closed_ = false;
  std::optional<SeekHint> seek_hint_;
  std::deque<ManualCompaction*> manual_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_SCHEDULER_H_
