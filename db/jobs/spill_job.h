// Carries out a spill plan: a spill moves trees of the group out of persistent memory into tables,
// together with their values.
#ifndef BUSHSTORE_DB_JOBS_SPILL_JOB_H_
#define BUSHSTORE_DB_JOBS_SPILL_JOB_H_

#include <functional>
#include <memory>

#include "db/decide/spill_plan.h"
#include "db/jobs/job_context.h"
#include "db/jobs/table_run.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"

namespace leveldb {

class PmemTier;

class SpillJob {
 public:
  // `plan` has been reserved. `yield` is called periodically between entries; it may run a flush.
  // REQUIRES: there is a tier.
  SpillJob(const JobContext& context, SpillPlan plan, std::function<void()> yield);

  // Merges the inputs into tables, installs the result and publishes it; takes no room in the pool.
  // Errors are recorded as the background error; when the database is closing, the job stops early
  // and leaves no trace.
  void Run() LOCKS_EXCLUDED(context_.state->mutex);

 private:
  Status Spill() LOCKS_EXCLUDED(context_.state->mutex);
  Status WriteOutputs(TableRun* outputs) LOCKS_EXCLUDED(context_.state->mutex);
  std::unique_ptr<Iterator> NewInputIterator() const;
  Status Install(VersionEdit* edit) LOCKS_EXCLUDED(context_.state->mutex);

  const JobContext context_;
  PmemTier* const tier_;
  const SpillPlan plan_;
  const std::function<void()> yield_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_SPILL_JOB_H_
