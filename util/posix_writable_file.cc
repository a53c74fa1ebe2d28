#include "util/posix_writable_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "leveldb/slice.h"
#include "util/posix_io.h"
#include "util/posix_output.h"
#include "util/spare_blocks.h"

namespace leveldb {

namespace {

constexpr size_t kSmallBuffer = 64 * 1024;

// For long files where the file system asks for blocks as large as this: a tmpfs that gives files
// memory by huge pages does. It would fill up every page that is written only in part with zeros,
// which takes longer than the writing. So each block goes to a place in the file that is a multiple
// of it.
constexpr size_t kLargeBuffer = SpareBlocks::kBlockBytes;

// The device begins to write a new file when so much of it is there, not when it is synced: who
// writes a long file waits less in the end, and nobody meets the burst.
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
    if (output_.is_open()) Close();  // Who wants to know of errors closes before.
    GiveBackBlock();                 // If there is still one.
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

  // REQUIRES: there is room for it.
  void Buffer(const Slice& data) {
    memcpy(buffer_ + filled_, data.data(), data.size());
    filled_ += data.size();
  }

  // Of data that does not fit behind what the buffer holds, as much as fills it up goes with that.
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

  // The buffer is empty then.
  void Write(const char* data, size_t n) {
    output_.Write(data, n);
    filled_ = 0;
    written_ += n;
    if (is_new_ && written_ - sync_begun_ >= kSyncAhead) {
      output_.BeginToSync(sync_begun_, written_ - sync_begun_);
      sync_begun_ = written_;
    }
    if (block_ != nullptr) limit_ = kLargeBuffer - written_ % kLargeBuffer;
  }

  // Goes on with a large buffer; false if there is no memory for one.
  bool TakeBlock() {
    block_ = SpareBlocks::Get().Take();
    if (block_ == nullptr) return false;
    memcpy(block_, small_, filled_);
    buffer_ = block_;
    limit_ = kLargeBuffer - written_ % kLargeBuffer;
    return true;
  }

  // What it holds is lost.
  void GiveBackBlock() {
    if (block_ == nullptr) return;
    SpareBlocks::Get().Give(block_);
    block_ = nullptr;
    buffer_ = small_;
    filled_ = 0;
    limit_ = kSmallBuffer;
  }

  PosixOutput output_;
  const bool is_new_;        // written_ is a position in the file.
  uint64_t written_ = 0;     // Bytes, since it was opened.
  uint64_t sync_begun_ = 0;  // As many of them.
  char* buffer_ = small_;
  size_t filled_ = 0;            // Bytes of buffer_ not written yet.
  size_t limit_ = kSmallBuffer;  // As many make a write due.
  bool may_grow_;                // To the large buffer, when the small one does not do any more.
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
