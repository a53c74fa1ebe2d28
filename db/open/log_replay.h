// Recovers the writes that are only in write-ahead log files.
#ifndef BUSHSTORE_DB_OPEN_LOG_REPLAY_H_
#define BUSHSTORE_DB_OPEN_LOG_REPLAY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/jobs/job_context.h"
#include "db/mem/memtable.h"
#include "db/open/record_numbering.h"
#include "db/version/version_edit.h"
#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

// Used once, by the thread that opens the database.
class LogReplay {
 public:
  // Adds tables that the replay creates to `*edit`, which must outlive this object. Every write
  // counts as newer than the last sequence of the version set.
  LogReplay(const JobContext& context, VersionEdit* edit);

  // Replays log `number`; must be called for all logs in ascending order. If the tail of a log was
  // cut off or garbled by a crash, the log counts as complete. Damage before intact records loses
  // the damaged records, with a line in LOG, or is an error with paranoid_checks.
  //
  // Records whose sequence numbers are already in use, as in logs from two merged copies of a
  // directory, are applied as record_numbering.h says.
  Status Replay(uint64_t number);

  // Writes the contents of the memtable to a table of level 0.
  Status FlushRest();

  // Returns whether the log replayed last can be appended to: its records are all that is in
  // memtable(), and none of it was damaged. Sets `length` to its length.
  bool LastLogIsReusable(uint64_t* length) const;

  // Returns the memtable of what has not been flushed; never null.
  std::shared_ptr<MemTable> memtable() const { return memtable_; }

  // Returns the sequence of the newest write, or the version set's last sequence if there was none.
  SequenceNumber last_sequence() const { return numbering_.last(); }

  // Returns the logs that were not applied completely, apart from a tail that a crash has left.
  // They must be kept.
  const std::vector<uint64_t>& incomplete_logs() const { return incomplete_logs_; }

 private:
  class DamageReporter;

  Status ReplayFile(SequentialFile* file, const std::string& path, bool* is_incomplete);
  Status Apply(const Slice& record);
  Status FlushIfLarger(size_t limit);

  const JobContext context_;
  VersionEdit* const edit_;
  std::shared_ptr<MemTable> memtable_;
  RecordNumbering numbering_;
  std::vector<uint64_t> incomplete_logs_;

  // These describe the log replayed last.
  uint64_t valid_length_ = 0;
  bool damaged_ = false;
  bool flushed_ = false;
  bool has_older_logs_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_LOG_REPLAY_H_
