#include "db/jobs/tier_work.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/decide/tree_range.h"
#include "db/jobs/merge_job.h"
#include "db/jobs/spill_job.h"
#include "db/state/memtable_iterator.h"
#include "db/version/level_limits.h"

namespace leveldb {

namespace {

// A writer stops waiting when so many extents are free in excess of those that it needs.
constexpr uint64_t kExtentsForWriters = 4;

// A drain makes no new trees when at most this many are left.
constexpr size_t kLastTreesOfDrain = 4;

// Read-triggered compactions of fewer entries take less than a tenth of a second.
constexpr uint64_t kEntriesOfLongReadTriggered = 250'000;

// The bytes that a read-triggered compaction in an idle time, before any read, may write for each
// byte that is new since the last one.
constexpr uint64_t kIdleWriteAmplification = 4;

// A memtable takes at most 1 / kMemtablesPerPool of the pool.
constexpr uint64_t kMemtablesPerPool = 16;

}  // namespace

TierWork::TierWork(const JobContext& context)
    : context_(context),
      room_(context.state),
      gc_(context, &room_),
      sizes_{context.state->options().write_buffer_size, 0} {}

// ---- room --------------------------------------------------------------------------------------

bool TierWork::MaySpillNow() const {
  return tier() != nullptr && tier()->extents()->use() >= tier()->options().spill_stop;
}

void TierWork::WriterWaits(uint64_t bytes) {
  writer_wants_ = std::min(tier()->extents()->capacity_bytes(),
                           bytes + kExtentsForWriters * tier()->pool()->extent_size());
}

bool TierWork::OverlapsGroup(const MemTable& memtable) const {
  if (group().empty()) return false;
  const std::unique_ptr<Iterator> entries(NewMemTableIterator(memtable));
  entries->SeekToFirst();
  if (!entries->Valid()) return false;
  const std::string smallest = ExtractUserKey(entries->key()).ToString();
  entries->SeekToLast();
  const std::string largest = ExtractUserKey(entries->key()).ToString();
  const Slice begin(smallest);
  const Slice end(largest);
  for (int level = 0; level < kGroupLevels; level++) {
    if (group().OverlapInLevel(level, &begin, &end)) return true;
  }
  return false;
}

// Records a failure if writers would wait forever: merges that find no room leave level 0 as it is,
// it has as many trees as it may have, and no job can make room.
void TierWork::FailIfStuck() {
  context_.state->mutex.AssertHeld();
  if (MaySpill() || MayCollectGarbage()) return;
  if (context_.state->Level0Depth() < kLevel0StopDepth) return;
  failure_ = Status::IOError("persistent memory pool " + tier()->pool()->path() + " is full",
                             "there is no room to merge trees; give the pool a larger size, turn "
                             "spilling on, or drain the tier");
}

// ---- flushes -----------------------------------------------------------------------------------

std::optional<FlushTarget> TierWork::ChooseFlush(const MemTable& memtable) {
  flush_waits_ = false;
  if (tier() == nullptr || !context_.state->versions->tier().has_value()) {
    return FlushTarget::kTable;
  }
  if (drains_) {
    if (!OverlapsGroup(memtable)) return FlushTarget::kTable;
    if (!DrainAllowsATree()) {
      flush_waits_ = true;
      return std::nullopt;
    }
  }
  const uint64_t needed = memtable.MemoryUsage() + kExtentsPerTree * tier()->pool()->extent_size();
  if (!room_.IsNoneSince(flush_failed_use_) && room_.FreeBytes() >= needed) {
    return FlushTarget::kTree;
  }
  // The tree may fit all the same: `needed` is an estimate.
  if (!MaySpill() && !IsBusy()) return FlushTarget::kTree;
  if (MaySpill() && !OverlapsGroup(memtable)) return FlushTarget::kTable;
  flush_waits_ = true;
  return std::nullopt;
}

void TierWork::FlushEnded(const FlushJob& job, JobOutcome outcome) {
  context_.state->mutex.AssertHeld();
  if (tier() == nullptr) return;
  if (outcome == JobOutcome::kNoRoom) {
    flush_failed_use_ = tier()->extents()->used_bytes();
    if (!MaySpill() && !MayCollectGarbage()) failure_ = job.status();
    return;
  }
  flush_failed_use_ = 0;
  if (job.leaf_bytes() == 0) return;
  context_.state->runs_were_read =
      context_.state->runs_are_read.exchange(false, std::memory_order_relaxed);
  is_quiet_ = false;
  looked_for_quiet_ = false;
  sequence_at_read_triggered_.reset();
  room_.NoteFlush(job.leaf_bytes());
  const uint64_t switch_micros = context_.state->pressure.flush_start_micros.load();
  if (last_switch_micros_ != 0 && switch_micros > last_switch_micros_) {
    timings_.fill_micros = switch_micros - last_switch_micros_;
  }
  last_switch_micros_ = switch_micros;
  timings_.flush_micros = job.micros();
  Resize();
}

void TierWork::Resize() {
  context_.state->mutex.AssertHeld();
  if (!tier()->options().dynamic_tree) return;
  TreeSizeLimits limits;
  limits.write_buffer_size = context_.state->options().write_buffer_size;
  limits.memtable_bytes_max = tier()->extents()->capacity_bytes() / kMemtablesPerPool;
  const int trees_per_merge = context_.state->TreesPerMerge();
  limits.extra_trees_max =
      TreesAtDepth(kLevel0SlowdownDepth, trees_per_merge) - trees_per_merge - 1;
  sizes_ = NextTreeSizes(sizes_, timings_, limits);
  context_.state->pressure.memtable_bytes.store(sizes_.memtable_bytes, std::memory_order_relaxed);
}

// Returns the number of trees of level 0 that makes a merge due.
int TierWork::MergeWidth() const {
  context_.state->mutex.AssertHeld();
  const bool is_filled = tier()->extents()->use() >= tier()->options().spill_start;
  if (is_quiet_ || is_filled) return kLevel0CompactionTrigger;
  return context_.state->TreesPerMerge() + sizes_.extra_trees;
}

bool TierWork::WaitsToMerge() const {
  return tier() != nullptr && !is_quiet_ &&
         group().trees(0).size() >= static_cast<size_t>(kLevel0CompactionTrigger) &&
         group().trees(0).size() < static_cast<size_t>(MergeWidth());
}

// A time without writes is usually followed by reads, and while a long read-triggered compaction
// runs, reads bear the cost of several runs. A short one can wait until reads trigger it.
bool TierWork::WaitsForReadTriggered() const {
  context_.state->mutex.AssertHeld();
  if (tier() == nullptr || drains_ || read_triggered_goal_.has_value() || !can_look_) return false;
  if (sequence_at_read_triggered_ == context_.state->versions->LastSequence()) return false;
  // Writers that wait do not count as quiet.
  if (context_.state->immutable() != nullptr) return false;
  if (context_.state->Level0Depth() >= kLevel0SlowdownDepth) return false;
  if (group().trees(0).empty() || group().run_count() < 2) return false;
  if (group().read_triggered_entries() < kEntriesOfLongReadTriggered) return false;
  const uint64_t leaf_bytes = group().LevelLeafBytes(0) + group().LevelLeafBytes(1);
  return leaf_bytes <= kIdleWriteAmplification * group().LevelUserBytes(0);
}

bool TierWork::LookForQuiet() {
  is_quiet_ = looked_for_quiet_;
  looked_for_quiet_ = true;
  const SequenceNumber newest = context_.state->versions->LastSequence();
  const bool is_idle = newest == sequence_at_look_;
  sequence_at_look_ = newest;
  if (!is_idle || !WaitsForReadTriggered()) return false;
  sequence_at_read_triggered_ = newest;
  return true;
}

// ---- merges and GC -----------------------------------------------------------------------------

MergeOptions TierWork::MakeMergeOptions() const {
  context_.state->mutex.AssertHeld();
  MergeOptions options;
  options.level0_trigger = MergeWidth();
  options.level0_urgent = TreesAtDepth(kLevel0SlowdownDepth, context_.state->TreesPerMerge());
  options.level0_width = TreesAtDepth(kLevel0StopDepth, context_.state->TreesPerMerge());
  options.flushed_leaf_bytes = room_.flushed_leaf_bytes();
  options.free_bytes = room_.FreeBesideFlushes(kTreesKeptFree);
  options.extent_bytes = tier()->pool()->extent_size();
  options.pointers = context_.state->versions->group_pointers();
  options.running = context_.running;
  return options;
}

TierTask TierWork::Reserved(MergePlan plan) {
  TierTask task;
  task.ticket = context_.running->Reserve(plan);
  task.merge = std::move(plan);
  return task;
}

// While the next step of a manual merge has to wait for running jobs, nothing else is begun in the
// pool. A drain ends all manual merges: it leaves nothing to merge, and finally no tier.
std::optional<TierTask> TierWork::PickManualMergeTask() {
  context_.state->mutex.AssertHeld();
  while (!manual_merges_.empty()) {
    ManualJob* const manual = manual_merges_.front();
    ManualMergePick pick;
    if (!drains_) {
      pick =
          PickManualMerge(context_.state->versions->current(), MakeMergeOptions(), manual->range);
    }
    // A plan that has found no room waits for room, too: it is not tried again before there is
    // some.
    const bool is_stuck = pick.outcome == ManualMergePick::kPlan && !pick.plan->is_trivial_move &&
                          room_.IsNoneSince(merge_failed_use_);
    const bool no_room = pick.outcome == ManualMergePick::kNoRoom || is_stuck;
    merge_waits_ = no_room;
    if (pick.outcome == ManualMergePick::kNothingToDo || (no_room && !MaySpill())) {
      EndManual(&manual_merges_, manual);
      context_.state->work_finished.SignalAll();
      continue;
    }
    if (no_room || pick.outcome != ManualMergePick::kPlan) return std::nullopt;
    merge_failed_use_ = 0;
    manual->running = true;
    TierTask task = Reserved(std::move(*pick.plan));
    task.manual = manual;
    return task;
  }
  return std::nullopt;
}

std::optional<TierTask> TierWork::PickMergeTask() {
  if (room_.IsNoneSince(merge_failed_use_)) {
    FailIfStuck();
    return std::nullopt;
  }
  merge_failed_use_ = 0;
  MergePick pick = PickMerge(context_.state->versions->current(), MakeMergeOptions());
  awaited_ = pick.awaited;
  merge_waits_ = !pick.plan.has_value() && pick.bytes_wanted > 0;
  if (merge_waits_) FailIfStuck();
  if (!pick.plan.has_value()) return std::nullopt;
  return Reserved(std::move(*pick.plan));
}

void TierWork::SuggestReadTriggeredCompaction() {
  if (tier() != nullptr && !read_triggered_goal_.has_value())
    read_triggered_goal_ = FindReadTriggeredGoal(group());
}

// Picks the next step of the read-triggered compaction, unless something waits for room: it must
// not delay a writer that needs room.
std::optional<TierTask> TierWork::PickReadTriggeredTask() {
  if (!read_triggered_goal_.has_value() || IsStarved() || room_.IsNoneSince(merge_failed_use_)) {
    return std::nullopt;
  }
  std::optional<MergePlan> plan = PickReadTriggered(context_.state->versions->current(),
                                                    MakeMergeOptions(), *read_triggered_goal_);
  if (!plan.has_value()) {
    read_triggered_goal_.reset();  // it is done, or other jobs work on its trees
    return std::nullopt;
  }
  return Reserved(std::move(*plan));
}

// The copies of a GC run take room until it is over, while writers fill what is left: so GC comes
// before merges in a filled pool, unless level 0 is so deep that writes are delayed.
bool TierWork::GcIsUrgent() const {
  context_.state->mutex.AssertHeld();
  const PmemTierOptions& options = tier()->options();
  return options.spill && gc_.IsUnderWay() && tier()->extents()->use() >= options.spill_start &&
         context_.state->Level0Depth() < kLevel0SlowdownDepth;
}

// Resets what PickMergeTask() would set, when merges are passed over: nothing else waits for them.
void TierWork::PassMergesOver() {
  awaited_ = {};
  merge_waits_ = room_.IsNoneSince(merge_failed_use_);
}

std::optional<TierTask> TierWork::PickInPool() {
  if (pool_job_runs_) return std::nullopt;
  const bool is_starved = IsStarved();
  gc_.ForgetWait();  // unless Pick finds below that GC waits, and no merge is picked
  std::optional<TierTask> task = PickManualMergeTask();
  if (tier() == nullptr || (!task.has_value() && !manual_merges_.empty())) return std::nullopt;
  // GC makes room; merges do not.
  const bool may_merge = !drains_ && !manual_spill_waits_;
  const bool may_collect = !drains_ && (!manual_spill_waits_ || is_starved);
  if (!task.has_value() && may_collect && GcIsUrgent()) {
    task = gc_.Pick();
    if (task.has_value()) PassMergesOver();
  }
  if (!task.has_value() && may_merge) task = PickMergeTask();
  if (!task.has_value() && may_merge) task = PickReadTriggeredTask();
  if (task.has_value() && task->merge.has_value()) gc_.ForgetWait();
  if (!task.has_value() && may_collect && !gc_.waits()) task = gc_.Pick();
  pool_job_runs_ = task.has_value();
  return task;
}

// ---- spills ------------------------------------------------------------------------------------

// Returns whether to spill. The garbage that GC will free counts as free: spilling more in the
// meantime would leave the pool emptier than intended.
bool TierWork::SpillIsWanted() {
  const PmemTierOptions& options = tier()->options();
  if (room_.FreeBytes() >= writer_wants_) writer_wants_ = 0;
  const double capacity = static_cast<double>(tier()->extents()->capacity_bytes());
  const uint64_t used = tier()->extents()->used_bytes();
  const double use = static_cast<double>(used - std::min(used, gc_.garbage_bytes())) / capacity;
  spilling_ = SpillIsDue(use, spilling_, options.spill_start, options.spill_stop);
  return spilling_ || IsStarved();
}

SpillOptions TierWork::MakeSpillOptions() const {
  context_.state->mutex.AssertHeld();
  SpillOptions options;
  options.user_bytes_max = SpillUserBytes(tier()->extents()->capacity_bytes());
  options.pointers = context_.state->versions->group_pointers();
  options.running = context_.running;
  return options;
}

// A drain ends all manual spills: it leaves nothing to spill.
std::optional<SpillPlan> TierWork::PickManualSpillPlan(ManualJob** manual) {
  context_.state->mutex.AssertHeld();
  manual_spill_waits_ = false;
  while (!manual_spills_.empty()) {
    ManualJob* const next = manual_spills_.front();
    ManualSpillPick pick;
    if (tier() != nullptr && MaySpill() && !drains_) {
      pick = PickManualSpill(context_.state->versions->current(), MakeSpillOptions(), next->range);
    }
    if (pick.outcome == ManualSpillPick::kNothingToDo) {
      EndManual(&manual_spills_, next);
      context_.state->work_finished.SignalAll();
      continue;
    }
    manual_spill_waits_ = pick.outcome == ManualSpillPick::kBusy;
    if (manual_spill_waits_) break;
    next->GoOnBehind(pick.plan->group_pointer.user_key().ToString());
    next->running = true;
    *manual = next;
    return std::move(pick.plan);
  }
  return std::nullopt;
}

std::optional<TierTask> TierWork::PickSpill() {
  if (spill_runs_) return std::nullopt;
  TierTask task;
  const bool may_spill = tier() != nullptr && MaySpill() && !group().empty();
  const bool is_due = may_spill && (SpillIsWanted() || drains_);
  task.spill = PickManualSpillPlan(&task.manual);
  // While a manual spill waits for running jobs, only more urgent spills come before it.
  const bool may_begin = !manual_spill_waits_ || IsStarved() || drains_;
  if (!task.spill.has_value() && is_due && may_begin) {
    SpillOptions options = MakeSpillOptions();
    if (!IsStarved() && !drains_) options.awaited = awaited_;
    task.spill = leveldb::PickSpill(context_.state->versions->current(), options);
  }
  if (!task.spill.has_value()) return std::nullopt;
  task.ticket = context_.running->Reserve(*task.spill);
  spill_runs_ = true;
  return task;
}

// From now on no merge and no GC step is picked, so none waits for anything.
void TierWork::StartDrain() {
  context_.state->mutex.AssertHeld();
  drains_ = true;
  drain_trees_max_ = group().tree_count() + static_cast<size_t>(TreesAtDepth(
                                                kLevel0StopDepth, context_.state->TreesPerMerge()));
  awaited_ = {};
  merge_waits_ = false;
  read_triggered_goal_.reset();
  if (!pool_job_runs_) gc_.GiveUp();
}

bool TierWork::DrainAllowsATree() const {
  const size_t trees = group().tree_count();
  return trees > kLastTreesOfDrain && trees < drain_trees_max_;
}

// Lowers the limit of trees after a spill. Writers that are faster than spills get only half of the
// room that a spill makes, so that the number of trees falls with each spill.
void TierWork::NarrowDrain() {
  drain_trees_max_ = std::min(drain_trees_max_, (drain_trees_max_ + group().tree_count()) / 2);
}

bool TierWork::IsDrained() const {
  return tier() == nullptr || (group().empty() && !IsBusy());
}

// ---- doing it ----------------------------------------------------------------------------------

void TierWork::Run(TierTask* task, const std::function<void()>& yield) {
  if (task->merge.has_value()) {
    MergeJob job(context_, *task->merge, yield);
    task->outcome = job.Run();
    task->micros = job.micros();
  } else if (task->spill.has_value()) {
    SpillJob(context_, std::move(*task->spill), yield).Run();
    *task->spill = SpillPlan();  // releases its trees
    gc_.Look(task);
  } else if (task->gc.has_value()) {
    gc_.Run(task, yield);
  } else {
    gc_.Look(task);
  }
}

void TierWork::Finish(TierTask* task) {
  if (task->ticket != 0) context_.running->Release(task->ticket);
  if (task->spill.has_value()) {
    spill_runs_ = false;
    if (task->manual != nullptr) task->manual->running = false;
    if (drains_) {
      NarrowDrain();
    } else if (task->found.has_value()) {
      gc_.LookEnded(std::move(*task->found));
    }
    return;
  }
  pool_job_runs_ = false;
  if (task->merge.has_value()) {
    FinishMerge(*task);
    if (task->manual != nullptr) FinishManualMerge(task);
  } else if (task->gc.has_value()) {
    gc_.StepEnded(*task);
  } else if (task->found.has_value() && !drains_) {
    gc_.LookEnded(std::move(*task->found));
  }
  if (drains_) gc_.GiveUp();
}

void TierWork::FinishMerge(const TierTask& task) {
  const bool is_read_triggered = task.merge->reason == MergeReason::kReads;
  if (task.outcome == JobOutcome::kNoRoom) {
    if (is_read_triggered) {
      read_triggered_goal_.reset();
      return;
    }
    merge_failed_use_ = tier()->extents()->used_bytes();
    merge_waits_ = true;
    return;
  }
  if (task.merge->is_trivial_move) return;
  gc_.SuggestLook();
  if (task.merge->level == 0 && task.micros > 0 && !is_read_triggered) {
    const TreeList& trees = task.merge->inputs[0];
    timings_.merge_micros = task.micros / trees.size();
    // Only with spilling: without it, merges and GC alone make room, and writers that only keep up
    // with merges would fill the pool.
    if (tier()->options().spill) {
      context_.state->pressure.merge_throughput.Add(task.micros, UserBytes(trees));
    }
  }
}

void TierWork::FinishManualMerge(TierTask* task) {
  ManualJob* const manual = task->manual;
  manual->running = false;
  if (task->outcome == JobOutcome::kNoRoom && MaySpill()) return;  // tried again when there is room
  const std::optional<std::string>& next = task->merge->continue_after;
  if (next.has_value() && task->outcome == JobOutcome::kDone) {
    manual->GoOnBehind(*next);
  } else {
    EndManual(&manual_merges_, manual);
  }
}

}  // namespace leveldb
