// A flush to a tree: bulk-load the tree (no lock) -> one manifest edit names it and releases the
// memtable's log -> publish -> the log may be removed. Large values stay where they are.
//
// A flush to a table: write the table (no lock) -> choose its level -> the edit -> publish -> the
// log's file may be removed.
#include "db/jobs/flush_job.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "db/files/table_output.h"
#include "db/jobs/input_walk.h"
#include "db/jobs/table_entry.h"
#include "db/jobs/tree_output.h"
#include "db/jobs/visibility_rule.h"
#include "db/state/memtable_iterator.h"
#include "util/micros_since.h"
#include "util/throughput_estimate.h"

namespace leveldb {

struct FlushJob::Table {
  uint64_t number = 0;
  uint64_t size = 0;
  InternalKey smallest;
  InternalKey largest;
  uint64_t micros = 0;
};

// Publishes the progress of the flush: the write controller delays the filling of the next memtable
// accordingly.
void FlushJob::ReportProgress(const MemTable& memtable, uint64_t walked) const {
  context_.state->pressure.flushed_share.store(
      static_cast<double>(walked) / static_cast<double>(memtable.num_entries()),
      std::memory_order_relaxed);
}

// ---- to a table --------------------------------------------------------------------------------

Status FlushJob::WriteTable(const MemTable& memtable, Table* table) {
  DbState* const state = context_.state;
  const uint64_t start_micros = state->env()->NowMicros();
  table->number = state->versions->NewFileNumber();
  std::unique_ptr<TableOutput> output;
  Status status = TableOutput::Open(state->options(), state->dbname(), table->number,
                                    context_.table_cache, &output);
  if (!status.ok()) return status;
  const PmemTier* const tier = state->tier();
  TableEntry entry(tier == nullptr ? nullptr : tier->pool());
  const std::unique_ptr<Iterator> entries(NewMemTableIterator(memtable));
  WalkInterval interval;
  uint64_t walked = 0;
  for (entries->SeekToFirst(); entries->Valid() && output->status().ok(); entries->Next()) {
    const Slice key = entries->key();
    const Slice value = entries->value();
    if (interval.IsDue(key, value)) ReportProgress(memtable, walked);
    walked++;
    if (tier == nullptr) {
      output->Add(key, value);
      continue;
    }
    status = entry.Set(key, value);
    if (!status.ok()) break;
    output->Add(entry.key(), entry.value());
  }
  if (status.ok()) status = output->Finish();
  if (tier != nullptr) status = tier->pool()->CauseOf(status);
  if (!status.ok()) return status;
  table->size = output->size();
  table->smallest.DecodeFrom(output->smallest());
  table->largest.DecodeFrom(output->largest());
  table->micros = MicrosSince(state->env(), start_micros);
  Log(state->info_log(), "flushed %llu entries to table #%llu: %llu bytes",
      static_cast<unsigned long long>(output->entries()),
      static_cast<unsigned long long>(table->number), static_cast<unsigned long long>(table->size));
  return status;
}

void FlushJob::Record(int level, const Table& table) {
  LevelWork work;
  work.micros = static_cast<int64_t>(table.micros);
  work.bytes_written = static_cast<int64_t>(table.size);
  context_.state->stats.levels[level].Add(work);
}

Status FlushJob::Install(const Table& table, uint64_t log_number) {
  const Slice smallest = table.smallest.user_key();
  const Slice largest = table.largest.user_key();
  const int level = MemtableOutputLevel(*context_.state->versions->current(),
                                        context_.MakePickerOptions(), smallest, largest);
  const uint64_t ticket = context_.running->ReserveOutput(level, smallest, largest);
  VersionEdit edit;
  edit.SetPrevLogNumber(0);
  edit.SetLogNumber(log_number);
  edit.SetLastSequence(last_sequence_);
  edit.AddFile(level, table.number, table.size, table.smallest, table.largest);
  const Status status = context_.state->versions->LogAndApply(&edit, &context_.state->mutex);
  context_.running->Release(ticket);
  if (status.ok()) Record(level, table);
  return status;
}

JobOutcome FlushJob::RunTable(const MemTable& memtable, uint64_t log_number) {
  Table table;
  status_ = WriteTable(memtable, &table);
  MutexLock lock(&context_.state->mutex);
  if (status_.ok()) status_ = Install(table, log_number);
  micros_ = table.micros;
  return Conclude(memtable);
}

// ---- to a tree ---------------------------------------------------------------------------------

// Leaves out entries that newer versions hide from every reader. Tombstones stay: they may hide
// entries of other trees.
Status FlushJob::WriteTree(const MemTable& memtable, TreeOutput* output) {
  DbState* const state = context_.state;
  SequenceNumber smallest_snapshot;
  {
    MutexLock lock(&state->mutex);
    smallest_snapshot = state->SmallestSnapshot();
  }
  VisibilityRule visibility_rule(&state->comparator(), smallest_snapshot, nullptr);
  const std::unique_ptr<Iterator> entries(NewMemTableIterator(memtable));
  Status status = WalkInput(
      state, entries.get(), &visibility_rule,
      [&](uint64_t walked) { ReportProgress(memtable, walked); }, output);
  if (status.ok()) status = output->Finish();
  // The replacement of a lost page accepts all writes, and loses them.
  status = state->tier()->pool()->CauseOf(status);
  state->tier()->stats()->flush_bytes.Add(output->written_bytes());
  if (!status.ok()) return status;
  const TreeRecord& record = output->tree(0)->record();
  leaf_bytes_ = record.leaf_bytes;
  Log(state->info_log(), "flushed %llu entries to tree %s: %llu bytes of leaves",
      static_cast<unsigned long long>(memtable.num_entries()), record.DebugString().c_str(),
      static_cast<unsigned long long>(leaf_bytes_));
  return status;
}

Status FlushJob::Install(const TreeOutput& output, uint64_t log_number) {
  VersionEdit edit;
  edit.SetPrevLogNumber(0);
  edit.SetLogNumber(log_number);
  edit.SetLastSequence(last_sequence_);
  output.AddTo(0, &edit);
  const Status status = context_.state->versions->LogAndApply(&edit, &context_.state->mutex);
  if (status.ok()) context_.state->tier()->stats()->flushes.Add(1);
  return status;
}

// Returns whether the flush must teach the hints of the new tree. If reads search several runs,
// they will search this one before a merge can teach its hints.
bool FlushJob::MustTeachHints() const {
  DbState* const state = context_.state;
  MutexLock lock(&state->mutex);
  return state->runs_were_read || state->runs_are_read.load(std::memory_order_relaxed);
}

JobOutcome FlushJob::RunTree(const MemTable& memtable, uint64_t log_number) {
  DbState* const state = context_.state;
  const uint64_t start_micros = state->env()->NowMicros();
  TreeOutput output(context_, state->tier(), TreeLimits(), MustTeachHints(), /*yield=*/{});
  status_ = WriteTree(memtable, &output);
  if (!status_.ok()) {
    if (state->closing.load(std::memory_order_acquire)) return JobOutcome::kDone;
    if (IsForLackOfRoom(state->tier(), status_)) return JobOutcome::kNoRoom;
  }
  MutexLock lock(&context_.state->mutex);
  if (status_.ok()) status_ = Install(output, log_number);
  micros_ = MicrosSince(state->env(), start_micros);
  return Conclude(memtable);
}

// ---- both --------------------------------------------------------------------------------------

JobOutcome FlushJob::Conclude(const MemTable& memtable) {
  if (!status_.ok()) {
    context_.state->RecordBackgroundError("flushing a memtable", status_);
    return JobOutcome::kDone;
  }
  // The measure by which a memtable is full.
  const size_t bytes =
      context_.state->tier() != nullptr ? memtable.UserBytes() : memtable.MemoryUsage();
  context_.state->pressure.flush_nanos_per_kib.store(NanosPerKib(micros_, bytes),
                                                     std::memory_order_relaxed);
  context_.state->Publish(context_.state->memtable(), nullptr);
  return JobOutcome::kDone;
}

JobOutcome FlushJob::Run() {
  const AwaitedThread::Scope awaited(&context_.state->flush_thread);
  std::shared_ptr<MemTable> memtable;
  uint64_t log_number;  // the log that begins where the memtable ends
  {
    MutexLock lock(&context_.state->mutex);
    memtable = context_.state->immutable();
    log_number = context_.state->log_numbers.back();
    last_sequence_ = context_.state->immutable_last_sequence;
  }
  assert(memtable != nullptr);
  const JobOutcome outcome = target_ == FlushTarget::kTree ? RunTree(*memtable, log_number)
                                                           : RunTable(*memtable, log_number);
  bool is_flushed;
  {
    MutexLock lock(&context_.state->mutex);
    is_flushed = context_.state->immutable() != memtable;
  }
  if (is_flushed) context_.state->unsynced_logs.DropBelow(log_number);
  return outcome;
}

Status FlushJob::FlushToLevel0(const MemTable& memtable, VersionEdit* edit) {
  DbState* const state = context_.state;
  if (state->tier() != nullptr) {
    TreeOutput output(context_, state->tier(), TreeLimits(), /*teach_hints=*/false, /*yield=*/{});
    const Status status = WriteTree(memtable, &output);
    if (status.ok()) output.AddTo(0, edit);
    if (status.ok() || !IsForLackOfRoom(state->tier(), status)) return status;
    MutexLock lock(&state->mutex);
    const bool has_trees = !state->versions->current()->group()->empty();
    if (has_trees || !edit->pmem().new_trees().empty()) return status;
  }
  Table table;
  const Status status = WriteTable(memtable, &table);
  if (!status.ok()) return status;
  edit->AddFile(0, table.number, table.size, table.smallest, table.largest);
  MutexLock lock(&context_.state->mutex);
  Record(0, table);
  return status;
}

}  // namespace leveldb
