#include "util/posix_readable_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <memory>
#include <utility>

#include "leveldb/slice.h"
#include "util/data_volume.h"
#include "util/mapped_file.h"
#include "util/posix_io.h"

namespace leveldb {

namespace {

// A quarter of the mappings that Linux lets a process have. Where addresses are scarce, nothing is
// mapped.
constexpr int kMaxMappedFiles = sizeof(void*) >= 8 ? 16384 : 0;

// Returns the share of descriptors for files; leaves most of them to the program.
int DescriptorShare() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 50;
  if (limit.rlim_cur == RLIM_INFINITY) return INT_MAX;
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur / 5, INT_MAX));
}

// Calls read_some(place, room, filled), a read or pread, until n bytes or the end of the file have
// been read.
template <typename ReadSome>
Status ReadFully(const std::string& fname, size_t n, Slice* result, char* scratch,
                 ReadSome read_some) {
  size_t filled = 0;
  while (filled < n) {
    const ssize_t got = read_some(scratch + filled, n - filled, filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      *result = Slice();
      return PosixError(fname, errno);
    }
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  *result = Slice(scratch, filled);
  return Status::OK();
}

class PosixSequentialFile final : public SequentialFile {
 public:
  PosixSequentialFile(const std::string& fname, int fd) : fname_(fname), fd_(fd) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    return ReadFully(fname_, n, result, scratch, [this](char* place, size_t room, size_t) {
      return read(fd_.get(), place, room);
    });
  }

  Status Skip(uint64_t n) override {
    if (n > INT64_MAX) return PosixError(fname_, EINVAL);
    if (lseek(fd_.get(), static_cast<off_t>(n), SEEK_CUR) < 0) return PosixError(fname_, errno);
    return Status::OK();
  }

 private:
  const std::string fname_;
  const Descriptor fd_;
};

// OpenFile keeps its descriptor open.
class OpenFile final : public RandomAccessFile {
 public:
  // Takes over one of the descriptors of `limits`.
  OpenFile(const std::string& fname, int fd, ResourceLimit* descriptors)
      : fname_(fname), fd_(fd), descriptors_(descriptors) {}
  ~OpenFile() override { descriptors_->Release(); }

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    return ReadAt(fd_.get(), fname_, offset, n, result, scratch);
  }

 private:
  const std::string fname_;
  const Descriptor fd_;
  ResourceLimit* const descriptors_;
};

// ReopenedFile opens the file for each read.
class ReopenedFile final : public RandomAccessFile {
 public:
  explicit ReopenedFile(const std::string& fname) : fname_(fname) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    const Descriptor fd(OpenDescriptor(fname_, O_RDONLY));
    if (!fd.valid()) {
      *result = Slice();
      return PosixError(fname_, errno);
    }
    return ReadAt(fd.get(), fname_, offset, n, result, scratch);
  }

 private:
  const std::string fname_;
};

}  // namespace

bool ResourceLimit::Acquire() {
  if (left_.fetch_sub(1, std::memory_order_relaxed) > 0) return true;
  left_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void ResourceLimit::Release() {
  left_.fetch_add(1, std::memory_order_relaxed);
}

ReadLimits::ReadLimits()
    : ReadLimits(kMaxMappedFiles, DescriptorShare(), DataVolume::OfProcess()) {}

ReadLimits::ReadLimits(int mapped, int open, DataVolume* data_volume)
    : mapped_files(mapped), descriptors(open), volume(data_volume) {}

Status ReadAt(int fd, const std::string& fname, uint64_t offset, size_t n, Slice* result,
              char* scratch) {
  return ReadFully(fname, n, result, scratch, [&](char* place, size_t room, size_t filled) {
    return pread(fd, place, room, static_cast<off_t>(offset + filled));
  });
}

Status OpenSequentialFile(const std::string& fname, SequentialFile** result) {
  *result = nullptr;
  const int fd = OpenDescriptor(fname, O_RDONLY);
  if (fd < 0) return PosixError(fname, errno);
  *result = new PosixSequentialFile(fname, fd);
  return Status::OK();
}

Status OpenRandomAccessFile(const std::string& fname, ReadLimits* limits,
                            RandomAccessFile** result) {
  *result = nullptr;
  Descriptor fd(OpenDescriptor(fname, O_RDONLY));
  if (!fd.valid()) return PosixError(fname, errno);
  *result = MappedFile::Map(fname, fd.get(), limits);
  if (*result == nullptr && limits->descriptors.Acquire()) {
    *result = new OpenFile(fname, fd.Release(), &limits->descriptors);
  }
  if (*result == nullptr) *result = new ReopenedFile(fname);
  return Status::OK();
}

}  // namespace leveldb
