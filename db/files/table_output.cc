#include "db/files/table_output.h"

#include <cassert>
#include <utility>

#include "db/files/filename.h"
#include "db/files/table_cache.h"
#include "leveldb/env.h"
#include "leveldb/table_builder.h"
#include "table/table_builder_access.h"
#include "util/data_volume.h"

namespace leveldb {

Status TableOutput::Open(const Options& options, const std::string& dbname, uint64_t number,
                         TableCache* cache, std::unique_ptr<TableOutput>* output) {
  WritableFile* file = nullptr;
  const Status status = options.env->NewWritableFile(TableFileName(dbname, number), &file);
  if (status.ok()) {
    output->reset(
        new TableOutput(options, dbname, number, cache, std::unique_ptr<WritableFile>(file)));
  }
  return status;
}

TableOutput::TableOutput(const Options& options, const std::string& dbname, uint64_t number,
                         TableCache* cache, std::unique_ptr<WritableFile> file)
    : env_(options.env),
      file_name_(TableFileName(dbname, number)),
      number_(number),
      cache_(cache),
      file_(std::move(file)),
      builder_(new TableBuilder(options, file_.get())) {
  // LevelDB's short filter ranges cost reads of the device.
  if (DataVolume::OfProcess()->ExceedsMemory()) {
    TableBuilderAccess::UseLongFilterRanges(builder_.get());
  }
}

TableOutput::~TableOutput() {
  Abandon();
}

void TableOutput::Add(const Slice& key, const Slice& value) {
  assert(builder_ != nullptr);
  if (entries_ == 0) smallest_.assign(key.data(), key.size());
  largest_.assign(key.data(), key.size());
  entries_++;
  builder_->Add(key, value);
}

Status TableOutput::status() const {
  return builder_ != nullptr ? builder_->status() : Status::OK();
}

uint64_t TableOutput::size() const {
  return builder_ != nullptr ? builder_->FileSize() : complete_size_;
}

uint64_t TableOutput::SizeWith(const Slice& key, const Slice& value) const {
  assert(builder_ != nullptr);
  return TableBuilderAccess::SizeWith(*builder_, key, value);
}

Status TableOutput::Complete() {
  assert(builder_ != nullptr);
  assert(entries_ > 0);
  Status status = builder_->Finish();
  complete_size_ = builder_->FileSize();
  builder_.reset();
  if (status.ok()) status = file_->Flush();
  if (!status.ok()) RemoveFile();
  return status;
}

Status TableOutput::Finish() {
  Status status = builder_ != nullptr ? Complete() : Status::OK();
  if (!status.ok()) return status;
  assert(file_ != nullptr);
  status = file_->Sync();
  if (status.ok()) status = file_->Close();
  file_.reset();
  if (status.ok()) status = cache_->Open(number_, complete_size_);
  if (!status.ok()) RemoveFile();
  return status;
}

void TableOutput::Abandon() {
  if (file_ == nullptr) return;
  if (builder_ != nullptr) {
    builder_->Abandon();
    complete_size_ = builder_->FileSize();
    builder_.reset();
  }
  RemoveFile();
}

void TableOutput::RemoveFile() {
  file_.reset();
  cache_->Evict(number_);
  // If that fails, the file is an orphan that the next open removes.
  static_cast<void>(env_->RemoveFile(file_name_));
}

}  // namespace leveldb
