#include "util/posix_readable_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <memory>
#include <utility>

#include "leveldb/slice.h"
#include "util/mapped_pages.h"
#include "util/posix_io.h"

namespace leveldb {

namespace {

// Where addresses are scarce, nothing is mapped.
constexpr int kMaxMappedFiles = sizeof(void*) >= 8 ? 1000 : 0;

// Leaves most descriptors to the program around us.
int DescriptorShare() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 50;
  if (limit.rlim_cur == RLIM_INFINITY) return INT_MAX;
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur / 5, INT_MAX));
}

// Calls read_some(place, room, filled), a read or pread, until n bytes or the end of the file have
// come.
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

Status ReadAt(int fd, const std::string& fname, uint64_t offset, size_t n, Slice* result,
              char* scratch) {
  return ReadFully(fname, n, result, scratch, [&](char* place, size_t room, size_t filled) {
    return pread(fd, place, room, static_cast<off_t>(offset + filled));
  });
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

// Keeps its descriptor.
class OpenFile final : public RandomAccessFile {
 public:
  // One of limits' descriptors has been acquired for it.
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

// Opens the file for each read.
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

// A file in a huge page is mapped by one only if all of the page is; nobody looks behind the end of
// the file. Small files do without.
size_t MappingLength(size_t file_length) {
  constexpr size_t kHugePage = size_t{2} << 20;
  if (file_length < kHugePage / 2) return file_length;
  return (file_length + kHugePage - 1) / kHugePage * kHugePage;
}

class MappedFile final : public RandomAccessFile, public MappedPages {
 public:
  // One of limits' mapped files has been acquired for it. Takes over the mapping.
  MappedFile(const char* start, size_t length, ResourceLimit* mapped_files)
      : start_(start), length_(length), mapped_files_(mapped_files) {}
  ~MappedFile() override {
    munmap(const_cast<char*>(start_), MappingLength(length_));
    mapped_files_->Release();
  }

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    const size_t begin = static_cast<size_t>(std::min<uint64_t>(offset, length_));
    *result = Slice(start_ + begin, std::min(n, length_ - begin));
    return Status::OK();
  }

  // The mapping is shared with the file, so nothing is lost.
  void ReleasePages() const override {
    madvise(const_cast<char*>(start_), MappingLength(length_), MADV_DONTNEED);
  }

 private:
  const char* const start_;
  const size_t length_;
  ResourceLimit* const mapped_files_;
};

// The whole of the open file as a mapped one; null where it cannot be mapped (an empty file, a file
// system without mappings, no limit left).
RandomAccessFile* MapFile(int fd, ResourceLimit* mapped_files) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) return nullptr;
  if (!mapped_files->Acquire()) return nullptr;
  const size_t length = static_cast<size_t>(info.st_size);
  void* const start = mmap(nullptr, MappingLength(length), PROT_READ, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) {
    mapped_files->Release();
    return nullptr;
  }
  return new MappedFile(static_cast<const char*>(start), length, mapped_files);
}

}  // namespace

bool ResourceLimit::Acquire() {
  if (left_.fetch_sub(1, std::memory_order_relaxed) > 0) return true;
  left_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void ResourceLimit::Release() {
  left_.fetch_add(1, std::memory_order_relaxed);
}

ReadLimits::ReadLimits() : ReadLimits(kMaxMappedFiles, DescriptorShare()) {}

ReadLimits::ReadLimits(int mapped, int open) : mapped_files(mapped), descriptors(open) {}

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
  *result = MapFile(fd.get(), &limits->mapped_files);
  if (*result == nullptr && limits->descriptors.Acquire()) {
    *result = new OpenFile(fname, fd.Release(), &limits->descriptors);
  }
  if (*result == nullptr) *result = new ReopenedFile(fname);
  return Status::OK();
}

}  // namespace leveldb
