// Compactions, merges and spills of a range that somebody waits for.
#ifndef BUSHSTORE_DB_JOBS_MANUAL_JOB_H_
#define BUSHSTORE_DB_JOBS_MANUAL_JOB_H_

#include <deque>
#include <string>

#include "db/decide/manual_range.h"

namespace leveldb {

// Lives on the stack of the thread that waits. Guarded by the database mutex.
struct ManualJob {
  ManualRange range;     // what is left of it
  bool running = false;  // a step is queued or running
  bool done = false;

  void GoOnBehind(const std::string& user_key) {
    range.begin = user_key;
    range.begin_is_exclusive = true;
  }
};

// Those of one kind that are not done, in the order they were asked for: steps are of the first.
using ManualQueue = std::deque<ManualJob*>;

inline void EndManual(ManualQueue* queue, ManualJob* job) {
  job->done = true;
  std::erase(*queue, job);
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_MANUAL_JOB_H_
