#include "db/write/write_log.h"

#include <utility>

#include "db/state/unsynced_logs.h"

namespace leveldb {

void WriteLog::Roll(uint64_t number, std::unique_ptr<WritableFile> file, uint64_t length) {
  if (has_unsynced_records_) unsynced_logs_->Add(number_, std::move(file_));
  number_ = number;
  file_ = std::move(file);
  writer_ = std::make_unique<LogWriter>(file_.get(), length);
  has_unsynced_records_ = length > 0;
}

Status WriteLog::Append(const Slice& record, bool sync) {
  has_unsynced_records_ = true;
  Status status = writer_->AddRecord(record);
  if (!status.ok() || !sync) return status;
  status = unsynced_logs_->SyncAll();
  if (status.ok()) status = file_->Sync();
  if (status.ok()) has_unsynced_records_ = false;
  return status;
}

}  // namespace leveldb
