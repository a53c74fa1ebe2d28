#include "db/jobs/table_run.h"

#include <utility>

#include "db/files/filename.h"

namespace leveldb {

namespace {

// The most bytes of complete tables that wait for the device: 16 tables of the usual size.
constexpr uint64_t kMaxUnsyncedBytes = uint64_t{32} << 20;

}  // namespace

TableRun::TableRun(const JobContext& context, const std::vector<FileMetaPtr>& grandparents,
                   bool in_memory)
    : context_(context),
      cutter_(grandparents, &context.state->comparator(), context.state->options().max_file_size),
      in_memory_(in_memory) {}

Status TableRun::Add(const Slice& key, const Slice& value) {
  if (cutter_.CutBefore(key, output_ == nullptr ? 0 : output_->SizeWith(key, value),
                        output_ == nullptr ? Slice() : output_->largest())) {
    const Status status = Complete();
    if (!status.ok()) return status;
  }
  if (output_ == nullptr) {
    const Status status = Open();
    if (!status.ok()) return status;
  }
  output_->Add(key, value);
  return Status::OK();
}

Status TableRun::Open() {
  DbState* const state = context_.state;
  const auto open = [&] {
    return TableOutput::Open(state->options(), state->dbname(), state->versions->NewFileNumber(),
                             context_.table_cache, &output_);
  };
  const Status status = open();
  if (status.ok() || complete_.empty()) return status;
  // The complete tables may hold the descriptors that this one lacks.
  const Status finished = FinishAllComplete(/*yield=*/[] {});
  return finished.ok() ? open() : finished;
}

Status TableRun::Complete() {
  if (output_ == nullptr) return Status::OK();
  const Status status = output_->Complete();
  if (!status.ok()) return status;
  bytes_ += output_->size();
  complete_.push_back(std::move(output_));
  Status finished;
  while (finished.ok() && UnsyncedBytes() > kMaxUnsyncedBytes) finished = FinishOldest();
  return finished;
}

uint64_t TableRun::UnsyncedBytes() const {
  uint64_t bytes = 0;
  for (const auto& output : complete_) bytes += output->size();
  return bytes;
}

Status TableRun::Finish(const std::function<void()>& yield) {
  const Status status = Complete();
  return status.ok() ? FinishAllComplete(yield) : status;
}

Status TableRun::FinishAllComplete(const std::function<void()>& yield) {
  Status status;
  while (status.ok() && !complete_.empty()) {
    status = FinishOldest();
    yield();
  }
  return status;
}

Status TableRun::FinishOldest() {
  std::unique_ptr<TableOutput> output = std::move(complete_.front());
  complete_.pop_front();
  const Status status = output->Finish();
  if (!status.ok()) return status;
  if (!in_memory_) context_.table_cache->LeaveMemory(output->number(), output->size());
  finished_.push_back(std::move(output));
  return status;
}

void TableRun::Abandon() {
  output_.reset();
  complete_.clear();
  for (const auto& output : finished_) {
    context_.table_cache->Evict(output->number());
    const std::string name = TableFileName(context_.state->dbname(), output->number());
    const Status removed = context_.state->env()->RemoveFile(name);
    static_cast<void>(removed);  // else the next open removes it
  }
  finished_.clear();
}

void TableRun::AddTo(int level, VersionEdit* edit) const {
  for (const auto& output : finished_) {
    InternalKey smallest;
    InternalKey largest;
    smallest.DecodeFrom(output->smallest());
    largest.DecodeFrom(output->largest());
    edit->AddFile(level, output->number(), output->size(), smallest, largest);
  }
}

Slice TableRun::last_key() const {
  if (output_ != nullptr) return output_->largest();
  if (!complete_.empty()) return complete_.back()->largest();
  return finished_.empty() ? Slice() : finished_.back()->largest();
}

Status TableRun::status() const {
  return output_ == nullptr ? Status::OK() : output_->status();
}

}  // namespace leveldb
