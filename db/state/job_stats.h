// JobStats counts what background work did and what writers waited for; printed by db/properties.
#ifndef BUSHSTORE_DB_STATE_JOB_STATS_H_
#define BUSHSTORE_DB_STATE_JOB_STATS_H_

#include <cstdint>

#include "db/version/level_limits.h"

namespace leveldb {

// The cost so far of the jobs that wrote into one level.
struct LevelWork {
  int64_t micros = 0;
  int64_t bytes_read = 0;
  int64_t bytes_written = 0;

  void Add(const LevelWork& more);
};

// Not thread-safe; the database's mutex guards it.
struct JobStats {
  LevelWork levels[kNumLevels];
  int64_t write_wait_count = 0;   // times a writer waited for a flush, level 0 or the pool
  int64_t write_wait_micros = 0;  // time spent in these waits
  int64_t flush_moves = 0;        // times such a writer moved a flush thread that did not run
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_JOB_STATS_H_
