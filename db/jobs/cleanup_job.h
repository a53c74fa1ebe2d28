// Frees what no reader and no open needs any more: replaced views, files, and extents of the pool.
#ifndef BUSHSTORE_DB_JOBS_CLEANUP_JOB_H_
#define BUSHSTORE_DB_JOBS_CLEANUP_JOB_H_

#include "db/jobs/job_context.h"
#include "leveldb/status.h"

namespace leveldb {

class CleanupJob {
 public:
  // With `readers_are_gone`, as when the database closes, all replaced views are dropped.
  explicit CleanupJob(const JobContext& context, bool readers_are_gone = false)
      : context_(context), readers_are_gone_(readers_are_gone) {}

  // Drops the replaced views that no reader is looking at, then removes the tables, logs and
  // manifests that went out of use, and gives back the extents of trees. All that stays after a
  // background error, because the manifest may be read differently by the next open. Errors are
  // logged: a file that could not be removed is removed by the next open.
  void Run() LOCKS_EXCLUDED(context_.state->mutex);

  // Removes from the directory, and from the pool, what a database that crashed may have left. Only
  // while opening.
  Status RemoveStrayFiles() LOCKS_EXCLUDED(context_.state->mutex);

 private:
  void DropReplacedViews() LOCKS_EXCLUDED(context_.state->mutex);
  void RemoveTable(uint64_t number);
  void RemoveLog(uint64_t number);
  void RemoveStrayLogs(uint64_t first_needed);
  void Remove(const std::string& path);

  const JobContext context_;
  const bool readers_are_gone_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_CLEANUP_JOB_H_
