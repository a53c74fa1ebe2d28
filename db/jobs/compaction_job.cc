// A compaction: merge the inputs, newest first -> leave out what nobody can see -> cut the output
// into tables -> one manifest edit replaces the inputs by the outputs -> publish.
#include "db/jobs/compaction_job.h"

#include <utility>

#include "db/decide/deeper_levels_check.h"
#include "db/decide/output_cutter.h"
#include "db/files/filename.h"
#include "db/jobs/drop_rule.h"
#include "db/version/internal_key_order.h"
#include "db/version/level_iterator.h"
#include "entry/internal_key.h"
#include "iterator/merging.h"
#include "util/text.h"

namespace leveldb {

namespace {

// How much is merged between two looks at what else is to be done.
constexpr size_t kBytesBetweenYields = size_t{64} << 10;
constexpr size_t kBytesPerEntry = 256;  // an entry costs time even if it is empty

Status ClosingError() {
  return Status::IOError("compaction stopped", "the database is closing");
}

}  // namespace

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
  Status status;
  {
    const std::unique_ptr<Iterator> input = NewInputIterator();
    status = WriteOutputs(input.get());
  }
  if (!status.ok()) {
    output_.reset();
    for (const auto& output : finished_) {
      context_.table_cache->Evict(output->number());
      state->env()->RemoveFile(TableFileName(state->dbname(), output->number()));
    }
    return status;
  }

  VersionEdit edit;
  plan_.AddInputsTo(&edit);
  LevelWork work;
  work.bytes_read = static_cast<int64_t>(plan_.InputBytes());
  for (const auto& output : finished_) {
    InternalKey smallest;
    InternalKey largest;
    smallest.DecodeFrom(output->smallest());
    largest.DecodeFrom(output->largest());
    edit.AddFile(plan_.output_level, output->number(), output->size(), smallest, largest);
    work.bytes_written += static_cast<int64_t>(output->size());
  }
  work.micros = static_cast<int64_t>(state->env()->NowMicros() - start_micros);
  status = Install(&edit);
  if (!status.ok()) return status;  // a later open may find the edit: the outputs stay
  MutexLock lock(&state->mutex);
  state->stats.levels[plan_.output_level].Add(work);
  return status;
}

std::unique_ptr<Iterator> CompactionJob::NewInputIterator() const {
  ReadOptions options;
  // Always: a damaged block must not be written again under a checksum that says it is sound.
  options.verify_checksums = true;
  options.fill_cache = false;
  std::vector<Iterator*> children;
  for (int which = 0; which < 2; which++) {
    if (plan_.inputs[which].empty()) continue;
    const bool overlapping = which == 0 && plan_.level == 0;
    if (overlapping) {
      for (const FileMetaPtr& file : plan_.inputs[which]) {
        children.push_back(context_.table_cache->NewIterator(options, file->number, file->size));
      }
    } else {
      children.push_back(NewLevelIterator(options, &context_.state->comparator(),
                                          context_.table_cache,
                                          std::make_shared<const LevelFiles>(plan_.inputs[which])));
    }
  }
  return std::unique_ptr<Iterator>(
      NewMergingIterator(InternalKeyOrder(context_.state->comparator()), std::move(children)));
}

Status CompactionJob::WriteOutputs(Iterator* input) {
  DbState* const state = context_.state;
  SequenceNumber smallest_snapshot;
  {
    MutexLock lock(&state->mutex);
    smallest_snapshot = state->SmallestSnapshot();
  }
  DeeperLevelsCheck deeper_levels(plan_, state->comparator().user_comparator());
  DropRule drop_rule(&state->comparator(), smallest_snapshot, &deeper_levels);
  OutputCutter cutter(plan_, &state->comparator(), state->options().max_file_size);

  size_t since_yield = 0;
  for (input->SeekToFirst(); input->Valid(); input->Next()) {
    const Slice key = input->key();
    since_yield += kBytesPerEntry + key.size() + input->value().size();
    if (since_yield >= kBytesBetweenYields) {
      since_yield = 0;
      if (state->closing.load(std::memory_order_acquire)) return ClosingError();
      if (output_ != nullptr && !output_->status().ok()) return output_->status();
      yield_();
    }
    if (!ComesNext(key)) {
      return Status::Corruption("tables to compact are out of order at",
                                Escaped(ExtractUserKey(key)));
    }
    if (drop_rule.ShouldDrop(key)) continue;
    if (cutter.CutBefore(key, output_ == nullptr ? 0 : output_->size(),
                         output_ == nullptr ? Slice() : output_->largest())) {
      const Status status = FinishOutput();
      if (!status.ok()) return status;
    }
    if (output_ == nullptr) {
      const Status status = OpenOutput();
      if (!status.ok()) return status;
    }
    output_->Add(key, input->value());
  }
  if (!input->status().ok()) return input->status();
  return output_ == nullptr ? Status::OK() : FinishOutput();
}

// Damage shows here that no checksum does: a block that somebody read unverified may be in the
// cache. Written on, it would make a table in which keys cannot be found.
bool CompactionJob::ComesNext(const Slice& key) const {
  const TableOutput* last = output_.get();
  if (last == nullptr && !finished_.empty()) last = finished_.back().get();
  return last == nullptr || context_.state->comparator().Compare(key, last->largest()) > 0;
}

Status CompactionJob::OpenOutput() {
  DbState* const state = context_.state;
  return TableOutput::Open(state->options(), state->dbname(), state->versions->NewFileNumber(),
                           context_.table_cache, &output_);
}

Status CompactionJob::FinishOutput() {
  const Status status = output_->Finish();
  if (status.ok()) finished_.push_back(std::move(output_));
  return status;
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
