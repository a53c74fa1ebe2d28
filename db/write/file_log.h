// FileLog is a write-ahead log in a file, in LevelDB's format.
#ifndef BUSHSTORE_DB_WRITE_FILE_LOG_H_
#define BUSHSTORE_DB_WRITE_FILE_LOG_H_

#include <cstdint>
#include <memory>
#include <string>

#include "db/write/write_log.h"
#include "filelog/log_writer.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class DbState;

class FileLog final : public WriteLog {
 public:
  // Has no file until StartNext. `state` is not owned and must outlive this object.
  explicit FileLog(DbState* state) : state_(state) {}
  // Writes to `file`, the log of the given number that holds `length` bytes of valid records.
  FileLog(DbState* state, uint64_t number, std::unique_ptr<WritableFile> file, uint64_t length);

  Status Write(const WriteGroup& group, MemTable* memtable, bool* log_is_unchanged) override;
  // The previous file goes to the unsynced logs if it has records that were not synced; otherwise
  // it is closed.
  Status StartNext(uint64_t number, SequenceNumber last_sequence, MemTable* memtable,
                   bool* log_is_unchanged) override;
  // Makes the name of the file, and what it holds, durable.
  Status Sync() { return file_->Sync(); }
  bool IsInPool() const override { return false; }
  bool DefersFences() const override { return false; }
  bool HasUnfenced() const override { return false; }
  void Fence() override {}
  Status Close(SequenceNumber last_sequence) override { return Status::OK(); }

 private:
  Slice Join(const WriteGroup& group);
  Status Append(const Slice& record, bool sync);

  DbState* const state_;
  uint64_t number_ = 0;
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<LogWriter> writer_;
  bool has_unsynced_records_ = false;
  std::string joined_;  // the record of a group that is not a single batch
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_FILE_LOG_H_
