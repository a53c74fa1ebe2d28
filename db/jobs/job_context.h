// JobContext is the part of the database that a background job is given.
#ifndef BUSHSTORE_DB_JOBS_JOB_CONTEXT_H_
#define BUSHSTORE_DB_JOBS_JOB_CONTEXT_H_

#include "db/decide/compaction_picker.h"
#include "db/decide/reservations.h"
#include "db/files/table_cache.h"
#include "db/state/db_state.h"

namespace leveldb {

// How a job that writes to the pool ended.
enum class JobOutcome {
  kDone,    // or failed for good and recorded the error; or stopped because the database closes
  kNoRoom,  // given up without a trace because the pool was full; is to be run again
};

// The references that every job needs. Copied freely; owns nothing; everything in it outlives every
// job.
struct JobContext {
  DbState* state;
  TableCache* table_cache;
  Reservations* running;  // guarded by state->mutex

  PickerOptions MakePickerOptions() const EXCLUSIVE_LOCKS_REQUIRED(state->mutex) {
    PickerOptions options;
    options.max_file_size = state->options().max_file_size;
    options.compact_pointers = state->versions->compact_pointers();
    options.running = running;
    return options;
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_JOB_CONTEXT_H_
