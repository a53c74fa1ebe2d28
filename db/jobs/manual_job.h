// Manual compactions, merges and spills of a key range, for which a caller waits.
#ifndef BUSHSTORE_DB_JOBS_MANUAL_JOB_H_
#define BUSHSTORE_DB_JOBS_MANUAL_JOB_H_

#include <deque>
#include <string>

#include "db/decide/manual_range.h"

namespace leveldb {

// One such request. Lives on the stack of the thread that waits. Guarded by the database mutex.
struct ManualJob {
  ManualRange range;     // the part that is left
  bool running = false;  // a step is queued or running
  bool done = false;

  void GoOnBehind(const std::string& user_key) {
    range.begin = user_key;
    range.begin_is_exclusive = true;
  }
};

// The unfinished requests of one kind, oldest first. Every step belongs to the first one.
using ManualQueue = std::deque<ManualJob*>;

inline void EndManual(ManualQueue* queue, ManualJob* job) {
  job->done = true;
  std::erase(*queue, job);
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_MANUAL_JOB_H_
