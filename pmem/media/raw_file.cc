#include "pmem/media/raw_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "pmem/media/cache_line_persist.h"
#include "port/fault_guard.h"
#include "util/posix_io.h"
#include "util/round.h"

namespace leveldb {

namespace {

// A shared mapping of the whole units of a device that hold [at, at + n).
class DeviceMapping {
 public:
  DeviceMapping(int fd, uint64_t at, size_t n, uint64_t unit, int protection)
      : begin_(RoundDown(at, unit)), bytes_(RoundUp(at + n, unit) - begin_) {
    base_ = mmap(nullptr, bytes_, protection, MAP_SHARED, fd, static_cast<off_t>(begin_));
  }
  ~DeviceMapping() {
    if (valid()) munmap(base_, bytes_);
  }
  DeviceMapping(const DeviceMapping&) = delete;
  DeviceMapping& operator=(const DeviceMapping&) = delete;

  bool valid() const { return base_ != MAP_FAILED; }
  char* base() const { return static_cast<char*>(base_); }
  size_t bytes() const { return bytes_; }
  char* At(uint64_t at) const { return static_cast<char*>(base_) + (at - begin_); }

 private:
  const uint64_t begin_;
  const size_t bytes_;
  void* base_;
};

}  // namespace

Status RawFile::Read(uint64_t at, size_t n, char* to, size_t* filled) const {
  *filled = 0;
  const Descriptor file(OpenDescriptor(path_, O_RDONLY));
  if (!file.valid()) return PosixError(path_, errno);
  if (is_device()) {
    const DeviceMapping mapping(file.get(), at, n, map_unit_, PROT_READ);
    if (!mapping.valid()) return PosixError(path_, errno);
    const FaultGuard guard(mapping.base(), mapping.bytes());
    memcpy(to, mapping.At(at), n);
    if (guard.lost()->load(std::memory_order_acquire)) return PosixError(path_, EIO);
    *filled = n;
    return Status::OK();
  }
  while (*filled < n) {
    const ssize_t got =
        pread(file.get(), to + *filled, n - *filled, static_cast<off_t>(at + *filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return PosixError(path_, errno);
    if (got == 0) break;
    *filled += static_cast<size_t>(got);
  }
  return Status::OK();
}

Status RawFile::Write(uint64_t at, const char* from, size_t n) const {
  const Descriptor file(OpenDescriptor(path_, O_RDWR));
  if (!file.valid()) return PosixError(path_, errno);
  if (is_device()) return WriteDevice(file.get(), at, from, n);
  size_t written = 0;
  while (written < n) {
    const ssize_t put =
        pwrite(file.get(), from + written, n - written, static_cast<off_t>(at + written));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return PosixError(path_, errno);
    written += static_cast<size_t>(put);
  }
  return fdatasync(file.get()) == 0 ? Status::OK() : PosixError(path_, errno);
}

// Writes to a device through a mapping. A device has no pages in memory that would have to be
// synced, and msync fails on it.
Status RawFile::WriteDevice(int fd, uint64_t at, const char* from, size_t n) const {
  const DeviceMapping mapping(fd, at, n, map_unit_, PROT_READ | PROT_WRITE);
  if (!mapping.valid()) return PosixError(path_, errno);
  const FaultGuard guard(mapping.base(), mapping.bytes());
  CacheLinePersist persist(/*emulated=*/false, BestFlushMethod(), CopyMethod::kPlain);
  persist.Copy(mapping.At(at), from, n);
  if (guard.lost()->load(std::memory_order_acquire)) return PosixError(path_, EIO);
  return persist.Sync();
}

}  // namespace leveldb
