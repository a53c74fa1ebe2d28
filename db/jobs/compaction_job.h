// Carries out a compaction plan.
#ifndef BUSHSTORE_DB_JOBS_COMPACTION_JOB_H_
#define BUSHSTORE_DB_JOBS_COMPACTION_JOB_H_

#include <functional>
#include <memory>

#include "db/decide/compaction_plan.h"
#include "db/jobs/job_context.h"
#include "db/jobs/table_run.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"

namespace leveldb {

class CompactionJob {
 public:
  // `plan` has been reserved. `yield` is called periodically between entries; it may run a flush.
  CompactionJob(const JobContext& context, CompactionPlan plan, std::function<void()> yield);

  // Moves or merges the inputs, installs the result and publishes it. Errors are recorded as the
  // background error; when the database is closing, the job stops early and leaves no trace.
  void Run() LOCKS_EXCLUDED(context_.state->mutex);

  const CompactionPlan& plan() const { return plan_; }

 private:
  Status MoveDown() LOCKS_EXCLUDED(context_.state->mutex);
  Status Merge() LOCKS_EXCLUDED(context_.state->mutex);
  std::unique_ptr<Iterator> NewInputIterator() const;
  Status WriteOutputs(TableRun* outputs) LOCKS_EXCLUDED(context_.state->mutex);
  Status Install(VersionEdit* edit) LOCKS_EXCLUDED(context_.state->mutex);

  const JobContext context_;
  const CompactionPlan plan_;
  const std::function<void()> yield_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_COMPACTION_JOB_H_
