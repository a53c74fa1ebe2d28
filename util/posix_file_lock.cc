#include "util/posix_file_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "util/posix_io.h"

namespace leveldb {

namespace {

class PosixFileLock final : public FileLock {
 public:
  PosixFileLock(const std::string& name, std::pair<dev_t, ino_t> id, int descriptor)
      : fname(name), file_id(id), fd(descriptor) {}

  const std::string fname;
  const std::pair<dev_t, ino_t> file_id;
  const Descriptor fd;  // Closing it drops the lock.
};

// Locks or unlocks the whole file; returns -1 and sets errno on failure.
int SetRecordLock(int fd, short type) {
  struct flock request = {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  request.l_start = 0;
  request.l_len = 0;  // to the end of the file, also if it grows
  return fcntl(fd, F_SETLK, &request);
}

}  // namespace

Status FileLockTable::Lock(const std::string& fname, FileLock** lock) {
  *lock = nullptr;
  const std::string context = "lock " + fname;
  MutexLock guard(&mutex_);
  struct stat info;
  const bool exists = stat(fname.c_str(), &info) == 0;
  if (names_.count(fname) != 0 || (exists && ids_.count(FileId(info.st_dev, info.st_ino)) != 0)) {
    return Status::IOError(context, "already held by process");
  }
  Descriptor fd(OpenDescriptor(fname, O_RDWR | O_CREAT));
  if (!fd.valid()) return PosixError(fname, errno);
  if (SetRecordLock(fd.get(), F_WRLCK) != 0) return PosixError(context, errno);
  if (fstat(fd.get(), &info) != 0) return PosixError(fname, errno);
  const FileId id(info.st_dev, info.st_ino);
  *lock = new PosixFileLock(fname, id, fd.Release());
  names_.insert(fname);
  ids_.insert(id);
  return Status::OK();
}

Status FileLockTable::Unlock(FileLock* lock) {
  MutexLock guard(&mutex_);
  // The file is closed before the mutex is released: closing drops any lock that the process has by
  // then.
  const std::unique_ptr<PosixFileLock> held(static_cast<PosixFileLock*>(lock));
  names_.erase(held->fname);
  ids_.erase(held->file_id);
  if (SetRecordLock(held->fd.get(), F_UNLCK) != 0) {
    return PosixError("unlock " + held->fname, errno);
  }
  return Status::OK();
}

}  // namespace leveldb
