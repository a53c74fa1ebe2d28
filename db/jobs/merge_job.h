// Carries out a merge plan: trees in, trees out. Large values stay where they are.
#ifndef BUSHSTORE_DB_JOBS_MERGE_JOB_H_
#define BUSHSTORE_DB_JOBS_MERGE_JOB_H_

#include <functional>
#include <memory>

#include "db/decide/merge_plan.h"
#include "db/jobs/job_context.h"
#include "db/jobs/tree_output.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"

namespace leveldb {

class MergeJob {
 public:
  // `plan` has been reserved. `yield` is called periodically between entries, and while a tree is
  // finished; it may run a flush or wait for one.
  // REQUIRES: there is a tier.
  MergeJob(const JobContext& context, MergePlan plan, std::function<void()> yield);

  // Moves or merges the inputs, installs the result and publishes it. Errors are recorded as the
  // background error; when the database is closing, the job stops early and leaves no trace.
  JobOutcome Run() LOCKS_EXCLUDED(context_.state->mutex);

  // The duration of the merge, including the time in `yield` (0: not known), and the bytes written
  // to the pool. Valid after Run.
  uint64_t micros() const { return micros_; }
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  Status MoveDown() LOCKS_EXCLUDED(context_.state->mutex);
  Status Merge() LOCKS_EXCLUDED(context_.state->mutex);
  Status WriteOutputs(TreeOutput* outputs) LOCKS_EXCLUDED(context_.state->mutex);
  std::unique_ptr<Iterator> NewInputIterator() const;
  // Increments the counter, unless it is null, before the result is published.
  Status Install(VersionEdit* edit, PmemCounter* counter) LOCKS_EXCLUDED(context_.state->mutex);

  const JobContext context_;
  PmemTier* const tier_;
  const MergePlan plan_;
  const std::function<void()> yield_;
  bool is_written_ = false;  // only the manifest is left to do
  uint64_t micros_ = 0;
  uint64_t written_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_MERGE_JOB_H_
