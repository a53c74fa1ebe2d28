// A spill: walk trees and overlapping tables, newest first -> leave out what cannot be seen ->
// fetch the values -> cut the output into tables -> one manifest edit removes the trees from the
// group and adds the tables -> publish. The space in the pool is free when the last view that holds
// the trees is gone.
#include "db/jobs/spill_job.h"

#include <utility>
#include <vector>

#include "db/decide/base_level_check.h"
#include "db/jobs/input_walk.h"
#include "db/jobs/table_entry.h"
#include "db/jobs/table_inputs.h"
#include "db/jobs/tree_input.h"
#include "db/jobs/visibility_rule.h"
#include "pmem/pmem_tier.h"
#include "util/micros_since.h"

namespace leveldb {

namespace {

// Passes entries to tables, with their values in place of references.
class ValuedRun {
 public:
  static constexpr bool kChecksOrder = TableRun::kChecksOrder;

  ValuedRun(const Pool* pool, TableRun* tables) : entry_(pool), tables_(tables) {}

  Status Add(const Slice& key, const Slice& value) {
    const Status status = entry_.Set(key, value);
    return status.ok() ? tables_->Add(entry_.key(), entry_.value()) : status;
  }
  Slice last_key() const { return tables_->last_key(); }
  Status status() const { return tables_->status(); }

 private:
  TableEntry entry_;
  TableRun* const tables_;
};

}  // namespace

SpillJob::SpillJob(const JobContext& context, SpillPlan plan, std::function<void()> yield)
    : context_(context),
      tier_(context.state->tier()),
      plan_(std::move(plan)),
      yield_(std::move(yield)) {}

void SpillJob::Run() {
  DbState* const state = context_.state;
  Log(state->info_log(), "spill starts: %s", plan_.DebugString().c_str());
  const Status status = Spill();
  if (status.ok() || state->closing.load(std::memory_order_acquire)) return;
  MutexLock lock(&state->mutex);
  state->RecordBackgroundError("spilling to tables", status);
}

Status SpillJob::Spill() {
  DbState* const state = context_.state;
  const uint64_t start_micros = state->env()->NowMicros();
  const bool in_memory =
      AreInMemory(context_, plan_.level0) && AreInMemory(context_, plan_.overlapped);
  TableRun outputs(context_, plan_.grandparents, in_memory);
  Status status = WriteOutputs(&outputs);
  if (!status.ok()) {
    outputs.Abandon();
    return status;
  }

  tier_->stats()->spill_bytes.Add(outputs.bytes());

  VersionEdit edit;
  plan_.AddInputsTo(&edit);
  outputs.AddTo(plan_.output_level, &edit);
  status = Install(&edit);
  if (!status.ok()) return status;  // a later open may find the edit: the outputs stay
  LevelWork work;
  work.bytes_read = static_cast<int64_t>(plan_.InputUserBytes() + plan_.InputTableBytes());
  work.bytes_written = static_cast<int64_t>(outputs.bytes());
  const uint64_t micros = MicrosSince(state->env(), start_micros);
  state->pressure.spill_throughput.Add(micros,
                                       plan_.InputUserBytes());  // for the write controller
  work.micros = static_cast<int64_t>(micros);
  MutexLock lock(&state->mutex);
  state->stats.levels[plan_.output_level].Add(work);
  return status;
}

Status SpillJob::WriteOutputs(TableRun* outputs) {
  DbState* const state = context_.state;
  const Pool& pool = *tier_->pool();
  SequenceNumber smallest_snapshot;
  {
    MutexLock lock(&state->mutex);
    smallest_snapshot = state->SmallestSnapshot();
  }
  // No tree of the group is below the spilled ones, and no table is between them and the output
  // level.
  BaseLevelCheck base_level_check = BaseLevelCheck::BelowTables(plan_.version, plan_.output_level);
  VisibilityRule visibility_rule(&state->comparator(), smallest_snapshot, &base_level_check);
  const std::unique_ptr<Iterator> input = NewInputIterator();
  ValuedRun run(&pool, outputs);
  Status status = WalkInput(
      state, input.get(), &visibility_rule, [this](uint64_t) { yield_(); }, &run);
  if (status.ok()) status = outputs->Finish(yield_);
  return pool.CauseOf(status);
}

std::unique_ptr<Iterator> SpillJob::NewInputIterator() const {
  const InternalKeyComparator& comparator = context_.state->comparator();
  std::vector<InternalIterator*> children;
  for (int level = 0; level < kGroupLevels; level++) {
    AppendTreeIterators(level, plan_.trees[level], comparator, &children);
  }
  AppendTableInputs(context_, plan_.level0, TableOrder::kOverlapping, &children);
  AppendTableInputs(context_, plan_.overlapped, TableOrder::kSorted, &children);
  return MergeInputs(comparator, std::move(children));
}

Status SpillJob::Install(VersionEdit* edit) {
  DbState* const state = context_.state;
  MutexLock lock(&state->mutex);
  const Status status = state->versions->LogAndApply(edit, &state->mutex);
  if (!status.ok()) return status;
  tier_->stats()->spills.Add(1);
  state->PublishVersion();
  Log(state->info_log(), "spill done: %s; %s", plan_.DebugString().c_str(),
      state->versions->LevelSummary().c_str());
  return status;
}

}  // namespace leveldb
