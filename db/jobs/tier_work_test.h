// For tests only: a fixture that picks and runs the work of a tier step by step.

#ifndef BUSHSTORE_DB_JOBS_TIER_WORK_TEST_H_
#define BUSHSTORE_DB_JOBS_TIER_WORK_TEST_H_

#include <optional>

#include "db/jobs/flush_job.h"
#include "db/jobs/tier_jobs_test.h"
#include "db/jobs/tier_work.h"

namespace leveldb {

// Picks tasks from a TierWork of the test, and runs them.
class TierWorkFixture : public TierFixture {
 protected:
  static constexpr uint64_t kPool = 32 << 20;

  void FlushToTree() {
    Switch();
    ASSERT_EQ(JobOutcome::kDone, FlushJob(scheduler_->context(), FlushTarget::kTree).Run());
  }

  // Runs and finishes the task, as a worker of the scheduler does.
  void Do(TierWork* work, TierTask* task) {
    work->Run(task, [] {});
    {
      MutexLock lock(&state_->mutex);
      work->Finish(task);
    }
    CleanupJob(scheduler_->context()).Run();
  }

  std::optional<TierTask> PickInPool(TierWork* work) {
    MutexLock lock(&state_->mutex);
    return work->PickInPool();
  }

  // Returns the next merge. Searches for garbage, which come before it, are run.
  std::optional<TierTask> PickMerge(TierWork* work) {
    std::optional<TierTask> task = PickInPool(work);
    while (task.has_value() && !task->merge.has_value()) {
      Do(work, &*task);
      task = PickInPool(work);
    }
    return task;
  }

  std::optional<TierTask> PickSpill(TierWork* work) {
    MutexLock lock(&state_->mutex);
    return work->PickSpill();
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_WORK_TEST_H_
