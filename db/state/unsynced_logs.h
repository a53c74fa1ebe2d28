// Log files that were replaced by a newer one while they held records not yet synced.
//
// A synced write promises that it and every write before it survive a power loss. The records
// before it may stand in the log of the memtable that is just being flushed, so that log has to be
// synced first: unless the flush has finished, which makes the log unnecessary.
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
  // Takes over the open file of log `number`. REQUIRES: numbers ascend.
  void Add(uint64_t number, std::unique_ptr<WritableFile> file) LOCKS_EXCLUDED(mutex_);

  // Syncs and closes all of them, oldest first. After an error the rest are kept.
  Status SyncAll() LOCKS_EXCLUDED(mutex_);

  // Closes, without a sync, the logs below `number`: what they hold is in synced tables.
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
