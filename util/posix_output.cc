#include "util/posix_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>

#include "util/posix_io.h"

namespace leveldb {

void PosixOutput::Fail(const Status& error) {
  if (error_.ok()) error_ = error;
}

Status PosixOutput::Write(const char* data, size_t n) {
  while (n > 0) {
    const ssize_t written = write(fd_, data, n);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = PosixError(fname_, errno);
      break;
    }
    data += written;
    n -= static_cast<size_t>(written);
  }
  return error_;
}

void PosixOutput::BeginToSync(uint64_t offset, uint64_t n) const {
#ifdef SYNC_FILE_RANGE_WRITE
  static_cast<void>(sync_file_range(fd_, static_cast<off_t>(offset), static_cast<off_t>(n),
                                    SYNC_FILE_RANGE_WRITE));
#else
  static_cast<void>(offset);
  static_cast<void>(n);
#endif
}

Status PosixOutput::Sync() {
  int result;
  do {
    result = fdatasync(fd_);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    error_ = PosixError(fname_, errno);
  } else if (!name_is_durable_) {
    error_ = SyncDirectory(DirectoryOf(fname_));
    name_is_durable_ = error_.ok();
  }
  return error_;
}

Status PosixOutput::Close() {
  assert(is_open());
  // Linux has closed the descriptor even where close reports an interruption.
  if (close(fd_) != 0 && errno != EINTR) Fail(PosixError(fname_, errno));
  fd_ = -1;
  const Status result = error_;
  Fail(Status::IOError(fname_, "file is closed"));
  return result;
}

}  // namespace leveldb
