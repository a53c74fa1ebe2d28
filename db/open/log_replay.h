// Brings back the writes that stand in write-ahead log files only.
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
  // Tables made on the way are added to `*edit`, which must outlive this object. Every write counts
  // as newer than what the version set has as its last sequence.
  LogReplay(const JobContext& context, VersionEdit* edit);

  // Replays log `number`; call it for all logs in ascending order. Where the end of a log was cut
  // or spoiled by a crash, the log counts as complete. Damage in front of good records loses what
  // it hit, with a line in LOG, or is an error with paranoid_checks.
  //
  // Records whose sequence numbers have been used, as in logs that were brought together from two
  // copies of a directory, are applied as record_numbering.h says.
  Status Replay(uint64_t number);

  // Writes what is in memory to a table of level 0.
  Status FlushRest();

  // Whether the log replayed last can be appended to: its records are all that is in memtable(),
  // and nothing of it was damaged. `length` is set to its length.
  bool LastLogIsReusable(uint64_t* length) const;

  // What has not been flushed; never null.
  std::shared_ptr<MemTable> memtable() const { return memtable_; }

  // The newest write; what the version set had at first if there was none.
  SequenceNumber last_sequence() const { return numbering_.last(); }

  // The logs of which something was not applied, other than an end that a crash has left: they are
  // to be kept.
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
