// Turns a full memtable into a tree of the group, or into a table.
#ifndef BUSHSTORE_DB_JOBS_FLUSH_JOB_H_
#define BUSHSTORE_DB_JOBS_FLUSH_JOB_H_

#include <cstdint>

#include "db/jobs/job_context.h"
#include "db/mem/memtable.h"
#include "db/version/version_edit.h"
#include "leveldb/status.h"

namespace leveldb {

class TreeOutput;

enum class FlushTarget {
  kTable,  // REQUIRES: no tree of the group overlaps the memtable
  kTree,   // REQUIRES: there is a tier
};

class FlushJob {
 public:
  explicit FlushJob(const JobContext& context, FlushTarget target = FlushTarget::kTable)
      : context_(context), target_(target) {}

  // Flushes the immutable memtable, installs the result and publishes a view without it. Errors are
  // recorded as the background error, except lack of room in the pool.
  // REQUIRES: there is an immutable memtable, and no other FlushJob runs.
  JobOutcome Run() LOCKS_EXCLUDED(context_.state->mutex);

  // Writes `memtable`, which has at least one entry, as a tree of level 0 if there is a tier, else
  // as a table of level 0, and adds it to `*edit`. Writes a table as well if the pool has no room
  // for the tree and holds no other tree. Used while a database is being opened, when there are no
  // other jobs.
  Status FlushToLevel0(const MemTable& memtable, VersionEdit* edit)
      LOCKS_EXCLUDED(context_.state->mutex);

  // The status and the duration of the flush, and the size of the tree's leaves. Valid after Run.
  const Status& status() const { return status_; }
  uint64_t micros() const { return micros_; }
  uint64_t leaf_bytes() const { return leaf_bytes_; }

 private:
  struct Table;

  JobOutcome RunTable(const MemTable& memtable, uint64_t log_number);
  JobOutcome RunTree(const MemTable& memtable, uint64_t log_number);
  void ReportProgress(const MemTable& memtable, uint64_t walked) const;
  Status WriteTable(const MemTable& memtable, Table* table);
  Status WriteTree(const MemTable& memtable, TreeOutput* output)
      LOCKS_EXCLUDED(context_.state->mutex);
  bool MustTeachHints() const LOCKS_EXCLUDED(context_.state->mutex);
  Status Install(const Table& table, uint64_t log_number)
      EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  Status Install(const TreeOutput& output, uint64_t log_number)
      EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void Record(int level, const Table& table) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  JobOutcome Conclude(const MemTable& memtable) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  const JobContext context_;
  const FlushTarget target_;
  SequenceNumber last_sequence_ = 0;  // of the memtable
  Status status_;
  uint64_t micros_ = 0;
  uint64_t leaf_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_FLUSH_JOB_H_
