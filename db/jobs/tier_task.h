// A job of the tier: its plan and its result.
#ifndef BUSHSTORE_DB_JOBS_TIER_TASK_H_
#define BUSHSTORE_DB_JOBS_TIER_TASK_H_

#include <cstdint>
#include <optional>

#include "db/decide/gc_picker.h"
#include "db/decide/merge_picker.h"
#include "db/decide/spill_picker.h"
#include "db/jobs/job_context.h"
#include "db/jobs/manual_job.h"

namespace leveldb {

// One job, picked and reserved. At most one of the plans is set; if none is, the job searches for
// garbage.
struct TierTask {
  uint64_t ticket = 0;  // 0: nothing is reserved
  std::optional<MergePlan> merge;
  std::optional<SpillPlan> spill;
  std::optional<GcStep> gc;
  ManualJob* manual = nullptr;

  // The result.
  JobOutcome outcome = JobOutcome::kDone;
  uint64_t micros = 0;
  std::optional<GcVictims> found;  // by a search for garbage
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_TASK_H_
