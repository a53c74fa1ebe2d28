// A job of the tier: what was picked, and what came of it.
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

// One job, picked and reserved. Exactly one of the plans is set, or none: then it looks for
// garbage.
struct TierTask {
  uint64_t ticket = 0;  // 0: nothing is reserved
  std::optional<MergePlan> merge;
  std::optional<SpillPlan> spill;
  std::optional<GcStep> gc;
  ManualJob* manual = nullptr;

  // What came of it.
  JobOutcome outcome = JobOutcome::kDone;
  uint64_t micros = 0;
  std::optional<GcVictims> found;  // by a look
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TIER_TASK_H_
