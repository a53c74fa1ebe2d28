// WorkSignal lets code that does not know the scheduler notify it that there may be work.
#ifndef BUSHSTORE_DB_STATE_WORK_SIGNAL_H_
#define BUSHSTORE_DB_STATE_WORK_SIGNAL_H_

#include <cstdint>

namespace leveldb {

class WorkSignal {
 public:
  virtual ~WorkSignal() = default;

  // Looks for work and starts it. Thread-safe; takes the database's mutex.
  virtual void Raise() = 0;

  // Called when a writer has found the pool too full for a number of bytes. Returns true if a job
  // that may free extents is queued or running, or has now been started; it signals work_finished
  // when it is done. Returns false if waiting would be useless. REQUIRES: the database's mutex is
  // held.
  virtual bool MakeSpace(uint64_t /*bytes*/) { return false; }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_WORK_SIGNAL_H_
