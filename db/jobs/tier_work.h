// Finds work of the tier: what to merge, spill and garbage-collect next, and where a memtable may
// go.
//
// Jobs compete for room in the pool. A flush, a merge and a step of value-log GC first check
// whether there is enough; a spill needs none. A job that lacks room therefore waits for spills,
// and finally, when no tree is left that a memtable overlaps, the memtable itself becomes a table.
// Without spilling, lack of room that GC cannot make up for is an error.
//
// Apart from flushes, at most one job at a time writes trees, and at most one spills.
#ifndef BUSHSTORE_DB_JOBS_TIER_WORK_H_
#define BUSHSTORE_DB_JOBS_TIER_WORK_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "db/decide/merge_picker.h"
#include "db/decide/tree_sizer.h"
#include "db/jobs/flush_job.h"
#include "db/jobs/gc_work.h"
#include "db/jobs/job_context.h"
#include "db/jobs/tier_room.h"
#include "db/jobs/tier_task.h"
#include "pmem/pmem_tier.h"

namespace leveldb {

// Guarded by the database mutex, except Run. Does nothing for a database without a tier.
class TierWork {
 public:
  explicit TierWork(const JobContext& context);
  TierWork(const TierWork&) = delete;
  TierWork& operator=(const TierWork&) = delete;

  // Returns where to flush the full memtable; nothing if it has to wait until other jobs have
  // ended.
  std::optional<FlushTarget> ChooseFlush(const MemTable& memtable);

  // Records how a flush ended.
  void FlushEnded(const FlushJob& job, JobOutcome outcome);

  // Return the next merge or GC step, and the next spill, if one can start now.
  std::optional<TierTask> PickInPool();
  std::optional<TierTask> PickSpill();

  // Carries the task out. Not guarded.
  void Run(TierTask* task, const std::function<void()>& yield)
      LOCKS_EXCLUDED(context_.state->mutex);

  // Releases the reservations of the task. Must be called for every task that was picked, run or
  // not.
  void Finish(TierTask* task);

  // Returns whether a flush, a merge, a GC step or a writer waits for room. Making room is then
  // more urgent than all other work.
  bool IsStarved() const {
    return flush_waits_ || writer_wants_ > 0 || merge_waits_ || gc_.waits();
  }

  // Returns whether the pool is so full that spills may be going on. Once begun, they continue
  // below the share at which they begin.
  bool MaySpillNow() const;

  // Record that a writer found no room for `bytes`, and that it no longer waits.
  void WriterWaits(uint64_t bytes);
  void WriterGivesUp() { writer_wants_ = 0; }

  // Returns whether a running job may free room.
  bool IsBusy() const { return pool_job_runs_ || spill_runs_; }

  // Returns the permanent failure, if there is one; the caller records it as the background error.
  const Status& failure() const { return failure_; }

  // The queues of manual merges and spills. Manual spills move the trees that lie over tables,
  // unless spilling is off. A waiting caller adds its job, and removes it if it is given up; jobs
  // that are done are removed by this class.
  ManualQueue* manual_merges() { return &manual_merges_; }
  ManualQueue* manual_spills() { return &manual_spills_; }
  // Returns whether a manual spill waits for running jobs. Then no job is begun that could conflict
  // with it again, unless the job makes room that is waited for.
  bool manual_spill_waits() const { return manual_spill_waits_; }

  // Suggests a read-triggered compaction: reads of several runs have cost as much as merging these
  // would.
  void SuggestReadTriggeredCompaction();

  // Returns whether work is deferred until writers are quiet: a merge of level 0, or a
  // read-triggered compaction.
  bool WaitsForQuiet() const { return WaitsToMerge() || WaitsForReadTriggered(); }
  // Checks whether writers are quiet; must be called at intervals while WaitsForQuiet(). Writers
  // are quiet if no flush has ended between two calls: then merges are due sooner until the next
  // flush. Returns whether to suggest a read-triggered compaction, because there was no write at
  // all.
  bool LookForQuiet();
  // Tells that LookForQuiet() cannot be called: writers count as quiet, but read-triggered
  // compactions wait for reads.
  void AssumeQuiet() {
    is_quiet_ = true;
    can_look_ = false;
  }

  // Starts a drain: from now on everything is spilled, and a memtable becomes a table as soon as it
  // overlaps no tree.
  void StartDrain();
  bool IsDrained() const;

 private:
  PmemTier* tier() const { return context_.state->tier(); }
  const TreeGroup& group() const { return *context_.state->versions->current()->group(); }
  int MergeWidth() const;
  bool WaitsToMerge() const;
  bool WaitsForReadTriggered() const;
  // Returns whether a running job, or a GC run that is under way or due, may free room.
  bool MayCollectGarbage() const { return IsBusy() || gc_.MayFreeRoom(); }
  bool MaySpill() const { return drains_ || tier()->options().spill; }
  bool OverlapsGroup(const MemTable& memtable) const;
  bool SpillIsWanted();
  // REQUIRES, for both: a drain is under way, and there is a tier.
  bool DrainAllowsATree() const;
  void NarrowDrain();

  MergeOptions MakeMergeOptions() const;
  std::optional<TierTask> PickMergeTask();
  std::optional<TierTask> PickManualMergeTask();
  SpillOptions MakeSpillOptions() const;
  std::optional<SpillPlan> PickManualSpillPlan(ManualJob** manual);
  std::optional<TierTask> PickReadTriggeredTask();
  TierTask Reserved(MergePlan plan);
  void FinishMerge(const TierTask& task);
  void FinishManualMerge(TierTask* task);
  void FailIfStuck();
  bool GcIsUrgent() const;
  void PassMergesOver();
  void Resize();

  const JobContext context_;
  TierRoom room_;
  GcWork gc_;

  bool pool_job_runs_ = false;  // queued or running: a merge, a search for garbage, or a GC step
  bool spill_runs_ = false;
  bool drains_ = false;
  size_t drain_trees_max_ = 0;  // with this many trees or more, a drain makes no new ones
  ManualQueue manual_merges_;
  ManualQueue manual_spills_;
  bool manual_spill_waits_ = false;
  std::optional<ReadTriggeredGoal> read_triggered_goal_;
  Status failure_;

  // The operations that wait for room.
  bool flush_waits_ = false;
  bool merge_waits_ = false;
  uint64_t writer_wants_ = 0;  // bytes that must be free before writers stop waiting
  bool spilling_ = false;      // between spill_start and spill_stop
  // The pool's use when a flush or a merge found no room though there should have been some: it is
  // not tried again before the use is lower. 0: none has failed so.
  uint64_t flush_failed_use_ = 0;
  uint64_t merge_failed_use_ = 0;
  std::array<bool, kGroupLevels> awaited_{};

  bool looked_for_quiet_ = false;  // since the last flush
  bool is_quiet_ = false;
  bool can_look_ = true;
  // The sequence number of the newest write at the last LookForQuiet(), and that at the last call
  // which suggested a read-triggered compaction, if that was after the last flush.
  SequenceNumber sequence_at_look_ = 0;
  std::optional<SequenceNumber> sequence_at_read_triggered_;

  TreeSizes sizes_;
  TreeTimings timings_;
  uint64_t last_switch_micros_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_WORK_H_
