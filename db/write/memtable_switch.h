// Starts a new memtable with a new log; the full memtable is left to the flush.
#ifndef BUSHSTORE_DB_WRITE_MEMTABLE_SWITCH_H_
#define BUSHSTORE_DB_WRITE_MEMTABLE_SWITCH_H_

#include "leveldb/status.h"

namespace leveldb {

class DbState;
class WriteLog;

// Starts the log after `log` and publishes an empty memtable; the previous memtable becomes the
// immutable one, and the work signal is raised. After an error nothing has changed if
// *log_is_unchanged. REQUIRES: the caller leads the write queue and does not hold the mutex, and
// there is no immutable memtable.
Status SwitchMemtable(DbState* state, WriteLog* log, bool* log_is_unchanged);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_MEMTABLE_SWITCH_H_
