// How a part that cannot see the scheduler tells it that there may be work.
#ifndef BUSHSTORE_DB_STATE_WORK_SIGNAL_H_
#define BUSHSTORE_DB_STATE_WORK_SIGNAL_H_

#include <cstdint>

namespace leveldb {

class WorkSignal {
 public:
  virtual ~WorkSignal() = default;

  // Looks for work and starts it. Thread-safe; takes the database's mutex.
  virtual void Raise() = 0;

  // A writer has found the pool too full for so many bytes. Returns true if a job that may free
  // extents is queued or running, or has now been started; it signals work_finished when it is
  // done. False if waiting would be in vain. REQUIRES: the database's mutex is held.
  virtual bool MakeSpace(uint64_t /*bytes*/) { return false; }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_WORK_SIGNAL_H_
