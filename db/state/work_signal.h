// How a part that cannot see the scheduler tells it that there may be work.
#ifndef BUSHSTORE_DB_STATE_WORK_SIGNAL_H_
#define BUSHSTORE_DB_STATE_WORK_SIGNAL_H_

namespace leveldb {

class WorkSignal {
 public:
  virtual ~WorkSignal() = default;

  // Looks for work and starts it. Thread-safe; takes the database's mutex.
  virtual void Raise() = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_WORK_SIGNAL_H_
