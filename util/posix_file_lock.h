// Locks that keep a database to one process and, inside it, to one holder.
//
// Between processes a record lock (fcntl) on the whole file excludes. Within a process it does not:
// a second lock succeeds, and closing any descriptor of the file drops the lock silently. So the
// process keeps a table of what it has locked, by name and by identity (the same file may have
// several names), and does not even open a file that is in it.
#ifndef BUSHSTORE_UTIL_POSIX_FILE_LOCK_H_
#define BUSHSTORE_UTIL_POSIX_FILE_LOCK_H_

#include <sys/types.h>

#include <set>
#include <string>
#include <utility>

#include "leveldb/env.h"
#include "leveldb/status.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// One per process. Safe for use from several threads.
class FileLockTable {
 public:
  // As Env::LockFile and Env::UnlockFile.
  Status Lock(const std::string& fname, FileLock** lock);
  Status Unlock(FileLock* lock);

 private:
  using FileId = std::pair<dev_t, ino_t>;

  Mutex mutex_;
  std::set<std::string> names_ GUARDED_BY(mutex_);
  std::set<FileId> ids_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_FILE_LOCK_H_
