// For tests only: what the tier does next, asked step by step.

#ifndef BUSHSTORE_DB_JOBS_TIER_WORK_TEST_H_
#define BUSHSTORE_DB_JOBS_TIER_WORK_TEST_H_

#include <optional>

#include "db/jobs/flush_job.h"
#include "db/jobs/tier_jobs_test.h"
#include "db/jobs/tier_work.h"

namespace leveldb {

// Asks a TierWork of its own what is next, and does it.
class TierWorkFixture : public TierFixture {
 protected:
  static constexpr uint64_t kPool = 32 << 20;

  void FlushToTree() {
    Switch();
    ASSERT_EQ(JobOutcome::kDone, FlushJob(scheduler_->context(), FlushTarget::kTree).Run());
  }

  // As a worker of the scheduler does it.
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

  // What comes before it, a look for garbage, is done.
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
