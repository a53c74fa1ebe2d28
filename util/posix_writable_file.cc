#include "util/posix_writable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "leveldb/slice.h"
#include "util/posix_io.h"

namespace leveldb {

namespace {

constexpr size_t kBufferBytes = 64 * 1024;

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(const std::string& fname, int fd) : fname_(fname), fd_(fd) {}

  ~PosixWritableFile() override {
    if (fd_ >= 0) Close();  // Who wants to know of errors closes before.
  }

  Status Append(const Slice& data) override {
    if (data.size() <= kBufferBytes - filled_ && error_.ok()) {
      memcpy(buffer_ + filled_, data.data(), data.size());
      filled_ += data.size();
      return Status::OK();
    }
    return AppendBeyondBuffer(data);
  }

  Status Flush() override {
    if (filled_ > 0 && error_.ok()) {
      WriteOut(buffer_, filled_);
      filled_ = 0;
    }
    return error_;
  }

  Status Sync() override {
    if (!Flush().ok()) return error_;
    if (!name_is_durable_) {
      error_ = SyncDirectory(DirectoryOf(fname_));
      if (!error_.ok()) return error_;
      name_is_durable_ = true;
    }
    error_ = SyncData(fname_, fd_);
    return error_;
  }

  Status Close() override {
    assert(fd_ >= 0);
    Flush();  // An error stays in error_.
    // Linux has closed the descriptor even where close reports an interruption.
    if (close(fd_) != 0 && errno != EINTR && error_.ok()) error_ = PosixError(fname_, errno);
    fd_ = -1;
    const Status result = error_;
    if (error_.ok()) error_ = Status::IOError(fname_, "file is closed");
    return result;
  }

 private:
  // Data that does not fit behind what the buffer holds.
  Status AppendBeyondBuffer(const Slice& data) {
    // Filling up the buffer keeps the writes large and, at the front of a file, aligned.
    const size_t head = data.size() < kBufferBytes ? kBufferBytes - filled_ : 0;
    if (!error_.ok()) return error_;
    memcpy(buffer_ + filled_, data.data(), head);
    filled_ += head;
    if (!Flush().ok()) return error_;
    Slice rest = data;
    rest.remove_prefix(head);
    if (rest.size() >= kBufferBytes) {
      WriteOut(rest.data(), rest.size());
    } else {
      memcpy(buffer_, rest.data(), rest.size());
      filled_ = rest.size();
    }
    return error_;
  }

  // Writes it all, or sets error_.
  void WriteOut(const char* data, size_t n) {
    while (n > 0) {
      const ssize_t written = write(fd_, data, n);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        error_ = PosixError(fname_, errno);
        return;
      }
      data += written;
      n -= static_cast<size_t>(written);
    }
  }

  const std::string fname_;
  int fd_;  // -1 once closed.
  bool name_is_durable_ = false;
  Status error_;       // The first failure, or that the file is closed.
  size_t filled_ = 0;  // Bytes of buffer_ not written yet.
  char buffer_[kBufferBytes];
};

}  // namespace

Status OpenWritableFile(const std::string& fname, WriteMode mode, WritableFile** result) {
  *result = nullptr;
  const int disposition = mode == WriteMode::kTruncate ? O_TRUNC : O_APPEND;
  const int fd = OpenDescriptor(fname, O_WRONLY | O_CREAT | disposition);
  if (fd < 0) return PosixError(fname, errno);
  *result = new PosixWritableFile(fname, fd);
  return Status::OK();
}

}  // namespace leveldb
