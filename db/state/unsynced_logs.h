// UnsyncedLogs holds log files that were replaced by a newer one while they had records not yet
// synced.
//
// A synced write promises that it and every write before it survive a power loss. The records
// before it may be in the log of the memtable that is being flushed, so that log must be synced
// first, unless the flush has finished, which makes the log unnecessary.
#ifndef BUSHSTORE_DB_STATE_UNSYNCED_LOGS_H_
#define BUSHSTORE_DB_STATE_UNSYNCED_LOGS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/status.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Thread-safe.
class UnsyncedLogs {
 public:
  // Takes ownership of the open file of log `number`. REQUIRES: numbers ascend.
  void Add(uint64_t number, std::unique_ptr<WritableFile> file) LOCKS_EXCLUDED(mutex_);

  // Syncs and closes all logs, oldest first. After an error the rest are kept.
  Status SyncAll() LOCKS_EXCLUDED(mutex_);

  // Closes, without a sync, the logs below `number`: their contents are in synced tables.
  void DropBelow(uint64_t number) LOCKS_EXCLUDED(mutex_);

 private:
  struct Log {
    uint64_t number;
    std::unique_ptr<WritableFile> file;
  };

  Mutex mutex_;
  std::vector<Log> logs_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_UNSYNCED_LOGS_H_
