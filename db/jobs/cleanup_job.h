// Frees what neither readers nor a later open need any more: replaced views, files, and extents of
// the pool.
#ifndef BUSHSTORE_DB_JOBS_CLEANUP_JOB_H_
#define BUSHSTORE_DB_JOBS_CLEANUP_JOB_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "db/jobs/job_context.h"
#include "leveldb/status.h"

namespace leveldb {

class CleanupJob {
 public:
  // How the job treats calls that may still be reading a replaced view.
  enum class Readers {
    kPassing,    // waits for them briefly; what they still hold is left to the next cleanup
    kWaitedFor,  // waits for them, unless one takes very long
    kGone,       // there are none, as when the database closes
  };

  explicit CleanupJob(const JobContext& context, Readers readers = Readers::kPassing)
      : context_(context), readers_(readers) {}

  // Drops the replaced views that no reader uses, then removes the tables, logs and manifests that
  // went out of use, and frees the extents of trees. After a background error only views are
  // dropped, because the next open may read the manifest differently. Errors are logged: a file
  // that could not be removed is removed by the next open.
  void Run() LOCKS_EXCLUDED(context_.state->mutex);

  // Removes from the directory and the pool what a crashed database may have left, except the files
  // whose names are in `stay`.
  // REQUIRES: the database is being opened.
  Status RemoveStrayFiles(const std::set<std::string>& stay) LOCKS_EXCLUDED(context_.state->mutex);

 private:
  void RemoveTaken(const std::vector<uint64_t>& tables, const std::vector<uint64_t>& logs,
                   uint64_t old_manifest);
  void DropReplacedViews() LOCKS_EXCLUDED(context_.state->mutex);
  void RemoveTable(uint64_t number);
  void RemoveLog(uint64_t number);
  void RemoveStrayLogs(uint64_t first_needed);
  void Remove(const std::string& path);

  const JobContext context_;
  const Readers readers_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_CLEANUP_JOB_H_
