#include "util/posix_writable_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "leveldb/slice.h"
#include "util/posix_io.h"
#include "util/posix_output.h"

namespace leveldb {

namespace {

constexpr size_t kBufferBytes = 64 * 1024;

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(const std::string& fname, int fd) : output_(fname, fd) {}

  ~PosixWritableFile() override {
    if (output_.is_open()) Close();  // Who wants to know of errors closes before.
  }

  Status Append(const Slice& data) override {
    if (data.size() <= kBufferBytes - filled_ && output_.error().ok()) {
      memcpy(buffer_ + filled_, data.data(), data.size());
      filled_ += data.size();
      return Status::OK();
    }
    return AppendBeyondBuffer(data);
  }

  Status Flush() override {
    if (filled_ > 0 && output_.error().ok()) {
      output_.Write(buffer_, filled_);
      filled_ = 0;
    }
    return output_.error();
  }

  Status Sync() override { return Flush().ok() ? output_.Sync() : output_.error(); }

  Status Close() override {
    Flush();  // An error stays in output_.
    return output_.Close();
  }

 private:
  // Data that does not fit behind what the buffer holds.
  Status AppendBeyondBuffer(const Slice& data) {
    // Filling up the buffer keeps the writes large and, at the front of a file, aligned.
    const size_t head = data.size() < kBufferBytes ? kBufferBytes - filled_ : 0;
    if (!output_.error().ok()) return output_.error();
    memcpy(buffer_ + filled_, data.data(), head);
    filled_ += head;
    if (!Flush().ok()) return output_.error();
    Slice rest = data;
    rest.remove_prefix(head);
    if (rest.size() >= kBufferBytes) {
      output_.Write(rest.data(), rest.size());
    } else {
      memcpy(buffer_, rest.data(), rest.size());
      filled_ = rest.size();
    }
    return output_.error();
  }

  PosixOutput output_;
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
