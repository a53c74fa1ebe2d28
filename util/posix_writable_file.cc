#include "util/posix_writable_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "leveldb/slice.h"
#include "port/page_bytes.h"
#include "util/posix_io.h"
#include "util/posix_output.h"
#include "util/spare_blocks.h"

namespace leveldb {

namespace {

constexpr size_t kSmallBuffer = 64 * 1024;

// The buffer for long files on a file system that prefers blocks as large as this, such as a tmpfs
// that backs files with huge pages. It would fill every partly written page up with zeros, which
// takes longer than the writing. So each block is written at an offset that is a multiple of its
// size.
constexpr size_t kLargeBuffer = SpareBlocks::kBlockBytes;

// The device begins to write a new file after this many bytes, not when it is synced: the writer of
// a long file waits less in total, and there is no burst of writes at the end.
constexpr uint64_t kSyncAhead = 512 * 1024;

bool WantsLargeBlocks(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && static_cast<size_t>(info.st_blksize) >= kLargeBuffer;
}

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(const std::string& fname, int fd, WriteMode mode, bool may_grow)
      : output_(fname, fd), is_new_(mode == WriteMode::kTruncate), may_grow_(may_grow) {}

  ~PosixWritableFile() override {
    if (output_.is_open()) Close();  // callers that need the error close before
    GiveBackBlock();                 // if it still has one
  }

  Status Append(const Slice& data) override {
    if (data.size() <= Room() && output_.error().ok()) {
      Buffer(data);
      return Status::OK();
    }
    return AppendBeyondBuffer(data);
  }

  Status Flush() override {
    if (filled_ > 0 && output_.error().ok()) Write(buffer_, filled_);
    return output_.error();
  }

  Status Sync() override { return Flush().ok() ? output_.Sync() : output_.error(); }

  Status Close() override {
    Flush();  // An error stays in output_.
    GiveBackBlock();
    return output_.Close();
  }

 private:
  size_t Room() const { return limit_ - filled_; }

  // Copies data to the buffer. REQUIRES: it fits.
  void Buffer(const Slice& data) {
    memcpy(buffer_ + filled_, data.data(), data.size());
    filled_ += data.size();
  }

  // Appends data that does not fit into the rest of the buffer: fills the buffer up, writes it, and
  // goes on with the remaining data.
  Status AppendBeyondBuffer(const Slice& data) {
    if (!output_.error().ok()) return output_.error();
    if (may_grow_) {
      may_grow_ = false;
      if (TakeBlock()) return Append(data);
    }
    Slice rest = data;
    if (data.size() < limit_) {
      const size_t head = Room();
      Buffer(Slice(data.data(), head));
      rest.remove_prefix(head);
    }
    if (!Flush().ok()) return output_.error();
    if (rest.size() <= limit_) {
      Buffer(rest);
    } else {
      Write(rest.data(), rest.size());
    }
    return output_.error();
  }

  // Writes the data and empties the buffer.
  void Write(const char* data, size_t n) {
    output_.Write(data, n);
    filled_ = 0;
    written_ += n;
    if (is_new_ && written_ - sync_begun_ >= kSyncAhead) {
      const uint64_t end = written_ - written_ % PageBytes();  // what follows changes the last page
      output_.BeginToSync(sync_begun_, end - sync_begun_);
      sync_begun_ = end;
    }
    if (block_ != nullptr) limit_ = kLargeBuffer - written_ % kLargeBuffer;
  }

  // Switches to a large buffer; returns false if there is no memory for one.
  bool TakeBlock() {
    block_ = SpareBlocks::Get().Take();
    if (block_ == nullptr) return false;
    memcpy(block_, small_, filled_);
    buffer_ = block_;
    limit_ = kLargeBuffer - written_ % kLargeBuffer;
    return true;
  }

  // Returns the large buffer to the spare blocks; its contents are lost.
  void GiveBackBlock() {
    if (block_ == nullptr) return;
    SpareBlocks::Get().Give(block_);
    block_ = nullptr;
    buffer_ = small_;
    filled_ = 0;
    limit_ = kSmallBuffer;
  }

  PosixOutput output_;
  const bool is_new_;        // Then written_ is a position in the file.
  uint64_t written_ = 0;     // Bytes written since it was opened.
  uint64_t sync_begun_ = 0;  // The bytes of these whose sync has begun.
  char* buffer_ = small_;
  size_t filled_ = 0;            // Bytes of buffer_ not written yet.
  size_t limit_ = kSmallBuffer;  // The number of bytes at which a write is due.
  bool may_grow_;                // Whether to use a large buffer when the small one is full.
  char* block_ = nullptr;        // The large buffer, if there is one.
  char small_[kSmallBuffer];
};

}  // namespace

Status OpenWritableFile(const std::string& fname, WriteMode mode, WritableFile** result,
                        WriteBlocks blocks) {
  *result = nullptr;
  const int disposition = mode == WriteMode::kTruncate ? O_TRUNC : O_APPEND;
  const int fd = OpenDescriptor(fname, O_WRONLY | O_CREAT | disposition);
  if (fd < 0) return PosixError(fname, errno);
  *result =
      new PosixWritableFile(fname, fd, mode, blocks == WriteBlocks::kLarge || WantsLargeBlocks(fd));
  return Status::OK();
}

}  // namespace leveldb
