// The write-ahead log that the current memtable's writes go to, as a file.
#ifndef BUSHSTORE_DB_WRITE_WRITE_LOG_H_
#define BUSHSTORE_DB_WRITE_WRITE_LOG_H_

#include <cstdint>
#include <memory>

#include "filelog/log_writer.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class UnsyncedLogs;

// Used by one thread at a time: the leader of the write queue, or the one that opens the database.
class WriteLog {
 public:
  // `unsynced_logs` is not owned and must outlive this object.
  explicit WriteLog(UnsyncedLogs* unsynced_logs) : unsynced_logs_(unsynced_logs) {}
  WriteLog(const WriteLog&) = delete;
  WriteLog& operator=(const WriteLog&) = delete;

  // Makes `file`, which holds `length` bytes of valid records, the log. The file before it goes to
  // the unsynced logs if it has records that were not synced, else it is closed.
  void Roll(uint64_t number, std::unique_ptr<WritableFile> file, uint64_t length);

  // Appends one record; it is with the operating system when this returns. With `sync` it, and
  // every record before it, older logs included, has reached the medium. After an error it is not
  // known what of the record a later open will find.
  Status Append(const Slice& record, bool sync);

 private:
  UnsyncedLogs* const unsynced_logs_;
  uint64_t number_ = 0;
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<LogWriter> writer_;
  bool has_unsynced_records_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_LOG_H_
