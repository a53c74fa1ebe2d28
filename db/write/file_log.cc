#include "db/write/file_log.h"

#include <utility>

#include "db/files/filename.h"
#include "db/mem/batch_insert.h"
#include "db/state/db_state.h"

namespace leveldb {

namespace {

// The batch in joined_ keeps its memory for the next group only up to this size.
constexpr size_t kMaxKeptBytes = size_t{2} << 20;

// Appends the writer's entries to a record and counts them in its header.
void AppendEntries(const Writer& writer, std::string* record) {
  SetBatchCount(record, BatchCount(*record) + writer.Count());
  if (writer.kind == Writer::kBatch) {
    const Slice bytes = WriteBatchAccess::Bytes(*writer.batch);
    record->append(bytes.data() + kBatchHeaderSize, bytes.size() - kBatchHeaderSize);
    return;
  }
  const bool is_put = writer.kind == Writer::kPut;
  record->push_back(static_cast<char>(is_put ? kTypeValue : kTypeDeletion));
  AppendLengthPrefixed(record, writer.key);
  if (is_put) AppendLengthPrefixed(record, writer.value);
}

}  // namespace

FileLog::FileLog(DbState* state, uint64_t number, std::unique_ptr<WritableFile> file,
                 uint64_t length)
    : state_(state),
      number_(number),
      file_(std::move(file)),
      writer_(std::make_unique<LogWriter>(file_.get(), length)),
      has_unsynced_records_(length > 0) {}

Status FileLog::Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) {
  *log_is_unchanged = false;
  const bool is_batch_alone = group.first == group.last && group.first->kind == Writer::kBatch;
  const Slice record = is_batch_alone ? WriteBatchAccess::Bytes(*group.first->batch) : Join(group);
  Status status = Append(record, group.sync());
  if (status.ok()) status = InsertBatch(record, memtable);
  if (joined_.capacity() > kMaxKeptBytes) std::string().swap(joined_);
  return status;
}

// Returns the group's entries as one batch; valid until the next group.
Slice FileLog::Join(const WriteGroup& group) {
  joined_.assign(kBatchHeaderSize, '\0');
  SetBatchSequence(&joined_, group.sequence);
  group.ForEach([this](const Writer& writer) { AppendEntries(writer, &joined_); });
  return joined_;
}

Status FileLog::Append(const Slice& record, bool sync) {
  has_unsynced_records_ = true;
  Status status = writer_->AddRecord(record);
  if (!status.ok() || !sync) return status;
  status = state_->unsynced_logs.SyncAll();
  if (status.ok()) status = file_->Sync();
  if (status.ok()) has_unsynced_records_ = false;
  return status;
}

Status FileLog::StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                          bool* log_is_unchanged) {
  *log_is_unchanged = true;
  WritableFile* file = nullptr;
  const Status status =
      state_->env()->NewWritableFile(LogFileName(state_->dbname(), number), &file);
  if (!status.ok()) return status;
  if (has_unsynced_records_) state_->unsynced_logs.Add(number_, std::move(file_));
  number_ = number;
  file_.reset(file);
  writer_ = std::make_unique<LogWriter>(file, 0);
  has_unsynced_records_ = false;
  return status;
}

}  // namespace leveldb
