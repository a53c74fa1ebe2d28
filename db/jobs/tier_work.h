// Looks for work of the tier: what to merge, spill and sweep next, and where a memtable may go.
//
// Room in the pool is what jobs compete for. A flush, a merge and a sweep look first whether there
// is enough; a spill needs none. So whatever lacks room waits for spills, and in the end, when no
// tree is left that a memtable overlaps, the memtable itself becomes a table. Without spilling,
// what lacks room and cannot get it by a sweep is an error.
//
// One job at a time writes trees besides flushes, and one spills.
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

// Guarded by the database mutex, but for Run. Does nothing for a database without a tier.
class TierWork {
 public:
  explicit TierWork(const JobContext& context);
  TierWork(const TierWork&) = delete;
  TierWork& operator=(const TierWork&) = delete;

  // Where the full memtable is to go now; nothing if it has to wait until other jobs have ended.
  std::optional<FlushTarget> ChooseFlush(const MemTable& memtable);

  // Takes note of how a flush ended.
  void FlushEnded(const FlushJob& job, JobOutcome outcome);

  // The next merge or step of a sweep, and the next spill, if one can start now.
  std::optional<TierTask> PickInPool();
  std::optional<TierTask> PickSpill();

  // Carries the task out. Not guarded.
  void Run(TierTask* task, const std::function<void()>& yield)
      LOCKS_EXCLUDED(context_.state->mutex);

  // Releases what the task had reserved. Every task that was picked ends here, run or not.
  void Finish(TierTask* task);

  // Whether a flush, a merge, a sweep or a writer waits for room, which is more urgent than all
  // else.
  bool IsStarved() const {
    return flush_waits_ || writer_wants_ > 0 || merge_waits_ || gc_.waits();
  }

  // Whether so much of the pool is in use that spills may be going on, which go on below the share
  // at which they begin.
  bool MaySpillNow() const;

  // Says that a writer found no room for so many bytes, or does not wait for it any more.
  void WriterWaits(uint64_t bytes);
  void WriterGivesUp() { writer_wants_ = 0; }

  // Whether something is running that may free room.
  bool IsBusy() const { return pool_job_runs_ || spill_runs_; }

  // What went wrong for good, if it is not to be waited for any more: to be recorded.
  const Status& failure() const { return failure_; }

  // Merges and spills of a range; spills are of what lies over tables, unless nothing is ever
  // spilled. A waiting caller adds to these, and takes out what is given up; what is done is taken
  // out here.
  ManualQueue* manual_merges() { return &manual_merges_; }
  ManualQueue* manual_spills() { return &manual_spills_; }
  // Whether one of them waits for running jobs. Nothing is begun then that could get in its way
  // again, unless it makes room that somebody waits for.
  bool manual_spill_waits() const { return manual_spill_waits_; }

  // Says that reads have paid for looking into several runs what merging them would cost.
  void SuggestReadTriggeredCompaction();

  // Whether something is left to the time when writers are quiet: a merge of level 0, or a join.
  bool WaitsForQuiet() const { return WaitsToMerge() || WaitsForReadTriggered(); }
  // To be called at intervals while that is so. Writers are quiet if no flush has ended between two
  // calls: then merges are due sooner until the next flush. Returns whether a join is to be
  // suggested, since there was no write at all.
  bool LookForQuiet();
  // Says that no look is possible: they are quiet, but joins wait for reads.
  void AssumeQuiet() {
    is_quiet_ = true;
    can_look_ = false;
  }

  // From now on everything is spilled, and memtables become tables as soon as no tree is in the
  // way.
  void StartDrain();
  bool IsDrained() const;

 private:
  PmemTier* tier() const { return context_.state->tier(); }
  const TreeGroup& group() const { return *context_.state->versions->current()->group(); }
  int MergeWidth() const;
  bool WaitsToMerge() const;
  bool WaitsForReadTriggered() const;
  // Whether a job is running, or a sweep to be made, that may free room.
  bool MayCollectGarbage() const { return IsBusy() || gc_.MayFreeRoom(); }
  bool MaySpill() const { return drains_ || tier()->options().spill; }
  bool OverlapsGroup(const MemTable& memtable) const;
  bool SpillIsWanted();
  // REQUIRES, both: a drain is under way, and the tier is there.
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

  bool pool_job_runs_ = false;  // queued or running: a merge, a look, or a step of a sweep
  bool spill_runs_ = false;
  bool drains_ = false;
  size_t drain_trees_max_ = 0;  // as long as there are so many, a drain does not make new ones
  ManualQueue manual_merges_;
  ManualQueue manual_spills_;
  bool manual_spill_waits_ = false;
  std::optional<ReadTriggeredGoal> read_triggered_goal_;
  Status failure_;

  // Who waits for room.
  bool flush_waits_ = false;
  bool merge_waits_ = false;
  uint64_t writer_wants_ = 0;  // bytes that have to be free before a writer does not wait any more
  bool spilling_ = false;      // between spill_start and spill_stop
  // What was in use when a flush or a merge found no room though there should have been some: they
  // are not tried again before it is less. 0: nothing of the kind.
  uint64_t flush_failed_use_ = 0;
  uint64_t merge_failed_use_ = 0;
  std::array<bool, kGroupLevels> awaited_{};

  bool looked_for_quiet_ = false;  // since the last flush
  bool is_quiet_ = false;
  bool can_look_ = true;
  // The number of the newest write at the last look, and when a join was last suggested there, if
  // that was after the last flush.
  SequenceNumber sequence_at_look_ = 0;
  std::optional<SequenceNumber> sequence_at_read_triggered_;

  TreeSizes sizes_;
  TreeTimings timings_;
  uint64_t last_switch_micros_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_WORK_H_
