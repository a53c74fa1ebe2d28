#include "util/posix_log_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "leveldb/slice.h"
#include "port/fault_guard.h"
#include "port/fork_generation.h"
#include "util/posix_io.h"
#include "util/posix_output.h"
#include "util/round.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr uint64_t kPageBytes = 4096;

// The first window is small, since many databases are; each next one is twice as large, up to the
// size of a huge page, which a tmpfs with huge pages maps at once.
constexpr uint64_t kFirstStep = 64 * 1024;
constexpr uint64_t kLastStep = 2 * 1024 * 1024;

// Returns whether a store to allocated space cannot fail for lack of space. On copy-on-write file
// systems it can.
bool KeepsWhatItAllocates(int fd) {
  struct statfs info;
  if (fstatfs(fd, &info) != 0) return false;
  const auto type = static_cast<uint32_t>(info.f_type);
  return type == EXT4_SUPER_MAGIC || type == XFS_SUPER_MAGIC || type == TMPFS_MAGIC;
}

// Returns whether the process may allocate that much; the system would end it with a signal
// otherwise.
bool IsWithinSizeLimit(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && size <= limit.rlim_cur;
}

// Window is the mapped part of a file. It is watched, so that lost pages cause an error and not a
// signal.
class Window {
 public:
  // Returns null if the part cannot be mapped or watched. `begin` is a multiple of the page size.
  static std::unique_ptr<Window> Map(int fd, uint64_t begin, uint64_t end) {
    const size_t size = static_cast<size_t>(end - begin);
    void* const base =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(begin));
    if (base == MAP_FAILED) return nullptr;
    std::unique_ptr<Window> window(new Window(static_cast<char*>(base), size, begin));
    if (!window->guard_->installed()) window.reset();
    return window;
  }

  ~Window() {
    guard_.reset();  // before the addresses are used for another mapping
    munmap(base_, size_);
  }

  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  char* At(uint64_t offset) const { return base_ + (offset - begin_); }
  char* limit() const { return base_ + size_; }
  uint64_t OffsetOf(const char* p) const { return begin_ + static_cast<uint64_t>(p - base_); }
  bool lost() const { return guard_->lost()->load(std::memory_order_relaxed); }

 private:
  Window(char* base, size_t size, uint64_t begin)
      : base_(base), size_(size), begin_(begin), guard_(std::in_place, base, size) {}

  char* const base_;
  const size_t size_;
  const uint64_t begin_;
  std::optional<FaultGuard> guard_;
};

class PosixLogFile final : public WritableFile {
 public:
  PosixLogFile(const std::string& fname, int fd, uint64_t size)
      : output_(fname, fd), end_(size), allocated_(size) {}

  ~PosixLogFile() override {
    if (output_.is_open()) Close();  // callers that need the error close before
  }

  Status Append(const Slice& data) override {
    if (data.empty()) return error();
    if (data.size() > static_cast<size_t>(limit_ - next_)) return AppendBeyondWindow(data);
    Store(data.data(), data.size());
    return Status::OK();
  }

  Status Flush() override {
    if (pending_ != nullptr) {
      Publish();
      if (window_->lost()) FailForLostPages();
    }
    return error();
  }

  Status Sync() override {
    if (Flush().ok() && !output_.Sync().ok()) CloseWindow();
    return output_.error();
  }

  Status Close() override {
    Flush();  // An error stays in output_.
    // In a forked child the file still belongs to the parent.
    const bool is_ours = generation_ == ForkGeneration();
    if (is_ours) FailIfCutShort();
    CloseWindow();
    if (is_ours) CutOffZeros();
    return output_.Close();
  }

 private:
  static constexpr size_t kHeldBytes = sizeof(uint64_t);
  static constexpr size_t kLeastForCall = 8 << 10;

  void Store(const char* data, size_t n) {
    if (pending_ == nullptr) {
      pending_ = next_;
      held_size_ = 0;
    }
    const size_t held = std::min(kHeldBytes - held_size_, n);
    memcpy(held_ + held_size_, data, held);
    held_size_ += held;
    CopyIn(next_ + held, data + held, n - held);
    next_ += n;
  }

  // Copies n bytes to the window. One call fills many pages in less time than as many faults take.
  // The bytes that the call does not take are copied: their space is allocated. All bytes are
  // copied if the file was cut short: the call would extend it again, and hide that earlier records
  // are gone.
  void CopyIn(char* to, const char* from, size_t n) {
    size_t written = 0;
    if (n >= kLeastForCall && IsWhole()) {
      const auto offset = static_cast<off_t>(window_->OffsetOf(to));
      const ssize_t result = pwrite(output_.fd(), from, n, offset);
      if (result > 0) written = static_cast<size_t>(result);
    }
    memcpy(to + written, from + written, n - written);
  }

  bool IsWhole() const {
    struct stat info;
    return fstat(output_.fd(), &info) == 0 && static_cast<uint64_t>(info.st_size) >= allocated_;
  }

  // Stores the first pending bytes, which were held back, after all others.
  void Publish() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (held_size_ == kHeldBytes) {  // a size that is constant is one store
      memcpy(pending_, held_, kHeldBytes);
    } else {
      memcpy(pending_, held_, held_size_);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    pending_ = nullptr;
  }

  Status AppendBeyondWindow(const Slice& data) {
    FailIfCutShort();
    if (!error().ok()) return error();
    if (is_mapped_ && MoveWindow(data.size())) {
      Store(data.data(), data.size());
      return Status::OK();
    }
    if (is_mapped_) GoOnWithCalls();
    return error().ok() ? output_.Write(data.data(), data.size()) : error();
  }

  // Maps the pending bytes and n more, and allocates these. Returns false if either is impossible.
  bool MoveWindow(size_t n) {
    const uint64_t end = End();
    const uint64_t begin = pending_ != nullptr ? window_->OffsetOf(pending_) : end;
    if (!Allocate(end + n)) return false;
    std::unique_ptr<Window> window =
        Window::Map(output_.fd(), RoundDown(begin, kPageBytes), allocated_);
    if (window == nullptr) return false;
    if (pending_ != nullptr) pending_ = window->At(begin);
    next_ = window->At(end);
    limit_ = window->limit();
    window_ = std::move(window);
    return true;
  }

  bool Allocate(uint64_t end) {
    if (end <= allocated_) return true;
    const uint64_t target = RoundUp(end, step_);
    if (!IsWithinSizeLimit(target)) return false;
    int result;
    do {
      result = fallocate(output_.fd(), 0, static_cast<off_t>(allocated_),
                         static_cast<off_t>(target - allocated_));
    } while (result != 0 && errno == EINTR);
    allocated_ = target;  // or a part of it, which is cut off later
    if (result != 0) return false;
    step_ = std::min(step_ * 2, kLastStep);
    return true;
  }

  uint64_t End() const { return window_ != nullptr ? window_->OffsetOf(next_) : end_; }

  // Leaves the pending bytes as they are, unless they were published.
  void CloseWindow() {
    end_ = End();
    pending_ = nullptr;
    next_ = limit_ = nullptr;
    window_.reset();
  }

  void GoOnWithCalls() {
    Flush();
    CloseWindow();
    CutOffZeros();
    if (lseek(output_.fd(), static_cast<off_t>(end_), SEEK_SET) < 0) FailForErrno();
    is_mapped_ = false;
  }

  void CutOffZeros() {
    if (allocated_ <= end_) return;
    if (ftruncate(output_.fd(), static_cast<off_t>(end_)) == 0) {
      allocated_ = end_;
    } else {
      FailForErrno();
    }
  }

  void FailForErrno() { output_.Fail(PosixError(output_.fname(), errno)); }

  // Called before the file is extended, or cut to another end.
  void FailIfCutShort() {
    if (window_ != nullptr && (window_->lost() || !IsWhole())) FailForLostPages();
  }

  void FailForLostPages() {
    output_.Fail(Status::IOError(output_.fname(),
                                 "was cut short or its device failed while it was written"));
    CloseWindow();
  }

  const Status& error() const { return output_.error(); }

  PosixOutput output_;
  const uint64_t generation_ = ForkGeneration();
  bool is_mapped_ = true;  // False once the rest is written by calls.
  uint64_t end_;           // Where the next byte goes, before the first window and after the last.
  uint64_t allocated_;     // Where the file ends for the system.
  uint64_t step_ = kFirstStep;

  std::unique_ptr<Window> window_;
  char* next_ = nullptr;     // Where the next byte goes in the window,
  char* limit_ = nullptr;    // and where the window ends; null without one, as after an error.
  char* pending_ = nullptr;  // The first byte that was not flushed; null if there is none.
  size_t held_size_ = 0;     // How many bytes from there are in held_ and not yet in the file.
  char held_[kHeldBytes];
};

}  // namespace

bool IsLogFileName(const std::string& fname) {
  Slice name(fname);
  name.remove_prefix(fname.find_last_of('/') + 1);  // 0 without a slash.
  uint64_t number;
  return ConsumeDecimal(&name, &number) && name == ".log";
}

Status OpenLogFile(const std::string& fname, WriteMode mode, WritableFile** result) {
  const int disposition = mode == WriteMode::kTruncate ? O_TRUNC : 0;
  Descriptor file(OpenDescriptor(fname, O_RDWR | O_CREAT | disposition));
  struct stat info;
  if (!file.valid() || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) ||
      !KeepsWhatItAllocates(file.get())) {
    return OpenWritableFile(fname, mode, result);
  }
  *result = new PosixLogFile(fname, file.Release(), static_cast<uint64_t>(info.st_size));
  return Status::OK();
}

}  // namespace leveldb
