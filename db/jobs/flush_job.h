// Turns a full memtable into a table.
#ifndef BUSHSTORE_DB_JOBS_FLUSH_JOB_H_
#define BUSHSTORE_DB_JOBS_FLUSH_JOB_H_

#include "db/jobs/job_context.h"
#include "db/mem/memtable.h"
#include "db/version/version_edit.h"
#include "leveldb/status.h"

namespace leveldb {

class FlushJob {
 public:
  explicit FlushJob(const JobContext& context) : context_(context) {}

  // Flushes the immutable memtable, installs the result and publishes a view without it. Errors are
  // recorded as the background error.
  // REQUIRES: there is an immutable memtable, and no other FlushJob runs.
  void Run() LOCKS_EXCLUDED(context_.state->mutex);

  // Writes `memtable`, which has at least one entry, as a table of level 0 and adds it to `*edit`.
  // For opening a database, when there are no other jobs.
  Status FlushToLevel0(const MemTable& memtable, VersionEdit* edit)
      LOCKS_EXCLUDED(context_.state->mutex);

 private:
  struct Table;

  Status WriteTable(const MemTable& memtable, Table* table);
  Status Install(const Table& table, uint64_t log_number)
      EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);
  void Record(int level, const Table& table) EXCLUSIVE_LOCKS_REQUIRED(context_.state->mutex);

  const JobContext context_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_FLUSH_JOB_H_
