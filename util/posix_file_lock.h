// File locks that keep a database to one process and, inside it, to one holder.
//
// A record lock (fcntl) on the whole file excludes other processes. It does not exclude the same
// process: a second lock succeeds, and closing any descriptor of the file drops the lock silently.
// So the process keeps a table of its locked files, by name and by identity (the same file may have
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

// There is one FileLockTable per process. Thread-safe.
class FileLockTable {
 public:
  // Implement Env::LockFile and Env::UnlockFile.
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
