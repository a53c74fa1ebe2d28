// A merge: walk the inputs, newest first -> leave out what cannot be seen -> bulk-load trees -> one
// manifest edit replaces the inputs by the outputs -> publish.
#include "db/jobs/merge_job.h"

#include <utility>
#include <vector>

#include "db/decide/base_level_check.h"
#include "db/jobs/input_walk.h"
#include "db/jobs/tree_input.h"
#include "db/jobs/visibility_rule.h"
#include "util/micros_since.h"

namespace leveldb {

MergeJob::MergeJob(const JobContext& context, MergePlan plan, std::function<void()> yield)
    : context_(context),
      tier_(context.state->tier()),
      plan_(std::move(plan)),
      yield_(std::move(yield)) {}

JobOutcome MergeJob::Run() {
  DbState* const state = context_.state;
  const Status status = plan_.is_trivial_move ? MoveDown() : Merge();
  if (status.ok() || state->closing.load(std::memory_order_acquire)) return JobOutcome::kDone;
  // A full disk under the manifest is a different error.
  if (!is_written_ && IsForLackOfRoom(tier_, status)) {
    Log(state->info_log(), "merge given up for now: %s", status.ToString().c_str());
    return JobOutcome::kNoRoom;
  }
  MutexLock lock(&state->mutex);
  state->RecordBackgroundError("merging trees", status);
  return JobOutcome::kDone;
}

Status MergeJob::MoveDown() {
  is_written_ = true;
  VersionEdit edit;
  plan_.AddMoveTo(&edit);
  return Install(&edit, nullptr);
}

Status MergeJob::Merge() {
  DbState* const state = context_.state;
  const uint64_t start_micros = state->env()->NowMicros();
  TreeOutput outputs(context_, tier_, MergedTreeLimits(tier_->extents()->capacity_bytes()),
                     /*teach_hints=*/true, yield_);
  Status status = WriteOutputs(&outputs);
  written_bytes_ = outputs.written_bytes();
  tier_->stats()->merge_bytes.Add(written_bytes_);
  if (!status.ok()) return status;

  is_written_ = true;
  VersionEdit edit;
  plan_.AddInputsTo(&edit);
  outputs.AddTo(plan_.output_level, &edit);
  status = Install(&edit, &tier_->stats()->merges);
  if (!status.ok()) return status;
  micros_ = MicrosSince(state->env(), start_micros);
  return status;
}

Status MergeJob::WriteOutputs(TreeOutput* outputs) {
  DbState* const state = context_.state;
  SequenceNumber smallest_snapshot;
  {
    MutexLock lock(&state->mutex);
    smallest_snapshot = state->SmallestSnapshot();
  }
  BaseLevelCheck base_level_check = BaseLevelCheck::BelowTrees(plan_.version, plan_.output_level);
  VisibilityRule visibility_rule(&state->comparator(), smallest_snapshot, &base_level_check);
  const std::unique_ptr<Iterator> input = NewInputIterator();
  Status status = WalkInput(
      state, input.get(), &visibility_rule, [this](uint64_t) { yield_(); }, outputs);
  if (status.ok()) status = outputs->Finish();
  return tier_->pool()->CauseOf(status);
}

std::unique_ptr<Iterator> MergeJob::NewInputIterator() const {
  std::vector<InternalIterator*> children;
  for (int which = 0; which < 2; which++) {
    AppendTreeIterators(plan_.level + which, plan_.inputs[which], context_.state->comparator(),
                        &children);
  }
  return MergeInputs(context_.state->comparator(), std::move(children));
}

Status MergeJob::Install(VersionEdit* edit, PmemCounter* counter) {
  DbState* const state = context_.state;
  MutexLock lock(&state->mutex);
  const Status status = state->versions->LogAndApply(edit, &state->mutex);
  if (!status.ok()) return status;
  if (counter != nullptr) counter->Add(1);
  state->PublishVersion();
  Log(state->info_log(), "merge done: %s; %s", plan_.DebugString().c_str(),
      state->versions->LevelSummary().c_str());
  return status;
}

}  // namespace leveldb
