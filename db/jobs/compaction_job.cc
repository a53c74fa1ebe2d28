// A compaction: merge the inputs, newest first -> leave out what cannot be seen -> cut the output
// into tables -> one manifest edit replaces the inputs by the outputs -> publish.
#include "db/jobs/compaction_job.h"

#include <utility>

#include "db/decide/base_level_check.h"
#include "db/jobs/input_walk.h"
#include "db/jobs/table_inputs.h"
#include "db/jobs/visibility_rule.h"
#include "db/version/internal_key_order.h"
#include "entry/internal_key.h"
#include "iterator/merging.h"
#include "util/micros_since.h"

namespace leveldb {

CompactionJob::CompactionJob(const JobContext& context, CompactionPlan plan,
                             std::function<void()> yield)
    : context_(context), plan_(std::move(plan)), yield_(std::move(yield)) {}

void CompactionJob::Run() {
  DbState* const state = context_.state;
  Log(state->info_log(), "compaction starts: %s", plan_.DebugString().c_str());
  const Status status = plan_.is_trivial_move ? MoveDown() : Merge();
  if (status.ok() || state->closing.load(std::memory_order_acquire)) return;
  MutexLock lock(&state->mutex);
  state->RecordBackgroundError("compaction", status);
}

Status CompactionJob::MoveDown() {
  VersionEdit edit;
  plan_.AddMoveTo(&edit);
  return Install(&edit);
}

Status CompactionJob::Merge() {
  DbState* const state = context_.state;
  const uint64_t start_micros = state->env()->NowMicros();
  const bool in_memory =
      AreInMemory(context_, plan_.inputs[0]) && AreInMemory(context_, plan_.inputs[1]);
  TableRun outputs(context_, plan_.grandparents, in_memory);
  Status status = WriteOutputs(&outputs);
  if (!status.ok()) {
    outputs.Abandon();
    return status;
  }

  VersionEdit edit;
  plan_.AddInputsTo(&edit);
  outputs.AddTo(plan_.output_level, &edit);
  LevelWork work;
  work.bytes_read = static_cast<int64_t>(plan_.InputBytes());
  work.bytes_written = static_cast<int64_t>(outputs.bytes());
  work.micros = static_cast<int64_t>(MicrosSince(state->env(), start_micros));
  status = Install(&edit);
  if (!status.ok()) return status;  // a later open may find the edit: the outputs stay
  MutexLock lock(&state->mutex);
  state->stats.levels[plan_.output_level].Add(work);
  return status;
}

std::unique_ptr<Iterator> CompactionJob::NewInputIterator() const {
  std::vector<InternalIterator*> inputs;
  AppendTableInputs(context_, plan_.inputs[0],
                    plan_.level == 0 ? TableOrder::kOverlapping : TableOrder::kSorted, &inputs);
  AppendTableInputs(context_, plan_.inputs[1], TableOrder::kSorted, &inputs);
  return std::unique_ptr<Iterator>(
      NewMergingIterator(InternalKeyOrder(context_.state->comparator()), std::move(inputs)));
}

Status CompactionJob::WriteOutputs(TableRun* outputs) {
  DbState* const state = context_.state;
  SequenceNumber smallest_snapshot;
  {
    MutexLock lock(&state->mutex);
    smallest_snapshot = state->SmallestSnapshot();
  }
  BaseLevelCheck base_level_check = BaseLevelCheck::BelowTables(plan_.version, plan_.output_level);
  VisibilityRule visibility_rule(&state->comparator(), smallest_snapshot, &base_level_check);
  const std::unique_ptr<Iterator> input = NewInputIterator();
  const Status status = WalkInput(
      state, input.get(), &visibility_rule, [this](uint64_t) { yield_(); }, outputs);
  return status.ok() ? outputs->Finish(yield_) : status;
}

Status CompactionJob::Install(VersionEdit* edit) {
  DbState* const state = context_.state;
  MutexLock lock(&state->mutex);
  const Status status = state->versions->LogAndApply(edit, &state->mutex);
  if (!status.ok()) return status;
  state->PublishVersion();
  Log(state->info_log(), "compaction done: %s; files now %s", plan_.DebugString().c_str(),
      state->versions->LevelSummary().c_str());
  return status;
}

}  // namespace leveldb
