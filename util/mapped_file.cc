#include "util/mapped_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "port/page_bytes.h"
#include "util/posix_io.h"
#include "util/round.h"
#include "util/scan_window.h"

namespace leveldb {

namespace {

// Returns the length of the mapping. The kernel maps a file in a huge page by one entry only if all
// of that page is mapped; the bytes after the end of the file are not read. Small files have no
// need of it.
size_t MappingLength(size_t file_length) {
  constexpr size_t kHugePage = size_t{2} << 20;
  if (file_length < kHugePage / 2) return file_length;
  return RoundUp(file_length, kHugePage);
}

// The size of one read-ahead request. The kernel cuts a longer one short at the read-ahead or the
// request size of the device, the greater of which is at least this on all but the smallest
// devices.
constexpr uint64_t kRequest = uint64_t{128} << 10;

// Returns the number of pages that contain these bytes.
uint64_t PagesOf(uint64_t begin, uint64_t end) {
  if (begin == end) return 0;
  return (RoundUp(end, PageBytes()) - RoundDown(begin, PageBytes())) / PageBytes();
}

// Returns whether the file's bytes are always in memory: in the page cache of a tmpfs, or on
// persistent memory, whose pages mincore does not know.
bool IsAlwaysInMemory(int fd) {
  struct statfs system;
  if (fstatfs(fd, &system) == 0 && system.f_type == TMPFS_MAGIC) return true;
#ifdef STATX_ATTR_DAX
  struct statx info;
  if (statx(fd, "", AT_EMPTY_PATH, 0, &info) == 0)
    return (info.stx_attributes & STATX_ATTR_DAX) != 0;
#endif
  return false;
}

// Returns whether the process may learn which pages are in memory; mincore makes the same check.
bool MayAskForPages(const std::string& fname, const struct stat& info) {
  return geteuid() == 0 || info.st_uid == geteuid() || access(fname.c_str(), W_OK) == 0;
}

}  // namespace

// OpenForCall is the file, open for the lifetime of this object.
class MappedFile::OpenForCall {
 public:
  explicit OpenForCall(const MappedFile& file) : fd_(file.fd_.load(std::memory_order_acquire)) {
    if (fd_ < 0) Open(file);
  }

  // Returns -1 if the file does not exist any more, or if there is no descriptor.
  int get() const { return fd_ >= 0 ? fd_ : own_.get(); }

 private:
  void Open(const MappedFile& file) {
    Descriptor opened(OpenDescriptor(file.fname_, O_RDONLY));
    struct stat info;
    if (!opened.valid() || fstat(opened.get(), &info) != 0 || info.st_dev != file.device_ ||
        info.st_ino != file.inode_) {
      return;
    }
    posix_fadvise(opened.get(), 0, 0, POSIX_FADV_RANDOM);
    if (!file.limits_->descriptors.Acquire()) return own_.Reset(opened.Release());
    int expected = -1;
    if (file.fd_.compare_exchange_strong(expected, opened.get(), std::memory_order_acq_rel)) {
      fd_ = opened.Release();
    } else {
      file.limits_->descriptors.Release();
      fd_ = expected;
    }
  }

  int fd_;  // kept by the file
  Descriptor own_{-1};
};

MappedFile* MappedFile::Map(const std::string& fname, int fd, ReadLimits* limits) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) return nullptr;
  if (!limits->mapped_files.Acquire()) return nullptr;
  const size_t length = MappingLength(static_cast<size_t>(info.st_size));
  void* const start = mmap(nullptr, length, PROT_READ, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) {
    limits->mapped_files.Release();
    return nullptr;
  }
  return new MappedFile(fname, info, IsAlwaysInMemory(fd), static_cast<const char*>(start), limits);
}

MappedFile::MappedFile(const std::string& fname, const struct stat& info, bool is_always_in_memory,
                       const char* start, ReadLimits* limits)
    : fname_(fname),
      device_(info.st_dev),
      inode_(info.st_ino),
      is_always_in_memory_(is_always_in_memory),
      can_tell_(MayAskForPages(fname, info)),
      start_(start),
      length_(static_cast<size_t>(info.st_size)),
      limits_(limits) {}

MappedFile::~MappedFile() {
  munmap(const_cast<char*>(start_), MappingLength(length_));
  limits_->mapped_files.Release();
  const int fd = fd_.load(std::memory_order_relaxed);
  if (fd < 0) return;
  close(fd);
  limits_->descriptors.Release();
}

Status MappedFile::Read(uint64_t offset, size_t n, Slice* result, char* scratch) const {
  const size_t begin = static_cast<size_t>(std::min<uint64_t>(offset, length_));
  const size_t size = std::min(n, length_ - begin);
  const bool exceeds = exceeds_memory();
  if (exceeds != is_advised_random_.load(std::memory_order_relaxed)) Advise(exceeds);
  if (exceeds && PagesInMemory(begin, begin + size) < PagesOf(begin, begin + size)) {
    if (!is_hinted_.load(std::memory_order_relaxed)) ReadAhead(begin, size);
    const OpenForCall file(*this);
    if (file.get() >= 0) return ReadAt(file.get(), fname_, offset, n, result, scratch);
    PrefetchFromDevice(begin, begin + size);
  }
  *result = Slice(start_ + begin, size);
  return Status::OK();
}

uint64_t MappedFile::BytesInMemory() const {
  if (!exceeds_memory()) return length_;
  return std::min<uint64_t>(PagesInMemory(0, length_) * PageBytes(), length_);
}

// The mapping is shared with the file, so no data is lost.
void MappedFile::ReleasePages() const {
  madvise(const_cast<char*>(start_), MappingLength(length_), MADV_DONTNEED);
}

FilePages::InMemory MappedFile::WillRead(uint64_t offset, uint64_t n) const {
  if (!exceeds_memory()) return InMemory::kLittle;
  const uint64_t begin = std::min<uint64_t>(offset, length_);
  const uint64_t end = begin + std::min(n, length_ - begin);
  is_hinted_.store(true, std::memory_order_relaxed);
  const uint64_t pages = PagesOf(begin, end);
  const uint64_t in_memory = PagesInMemory(begin, end);
  if (in_memory == pages) return InMemory::kAll;
  PrefetchFromDevice(begin, end);
  return 2 * in_memory >= pages ? InMemory::kMost : InMemory::kLittle;
}

void MappedFile::WontRead(uint64_t offset, uint64_t n) const {
  if (!exceeds_memory()) return;
  const uint64_t begin = std::min<uint64_t>(offset, length_);
  const uint64_t end = begin + std::min(n, length_ - begin);
  const uint64_t first = RoundUp(begin, PageBytes());
  const uint64_t last = end == length_ ? end : RoundDown(end, PageBytes());
  if (first >= last) return;
  // The system keeps pages that a process has mapped, so they are unmapped first.
  madvise(const_cast<char*>(start_) + first, last - first, MADV_DONTNEED);
  const OpenForCall file(*this);
  if (file.get() >= 0) {
    posix_fadvise(file.get(), static_cast<off_t>(first), static_cast<off_t>(last - first),
                  POSIX_FADV_DONTNEED);
  }
}

void MappedFile::PrefetchFromDevice(uint64_t begin, uint64_t end) const {
  for (uint64_t at = RoundDown(begin, PageBytes()); at < end; at += kRequest) {
    madvise(const_cast<char*>(start_) + at, std::min(end - at, kRequest), MADV_WILLNEED);
  }
}

// Called when the caller reads n bytes at `offset`.
void MappedFile::ReadAhead(uint64_t offset, uint64_t n) const {
  const uint64_t last_end =
      last_end_.exchange(RoundUp(offset + n, PageBytes()), std::memory_order_relaxed);
  const bool goes_on = offset <= last_end && last_end <= offset + n;
  if (!goes_on) return window_.store(ScanWindow::kLeast, std::memory_order_relaxed);
  const uint64_t bytes = window_.load(std::memory_order_relaxed);
  window_.store(std::min(2 * bytes, ScanWindow::kMost), std::memory_order_relaxed);
  const uint64_t end = std::min<uint64_t>(offset + n + bytes, length_);
  PrefetchFromDevice(offset, end);
  last_end_.store(RoundUp(end, PageBytes()), std::memory_order_relaxed);
}

// Returns how many of the pages that contain these bytes are in memory; 0 if the system does not
// tell.
uint64_t MappedFile::PagesInMemory(uint64_t begin, uint64_t end) const {
  if (!can_tell_ || begin == end) return 0;
  std::array<unsigned char, 256> pages;
  uint64_t found = 0;
  for (uint64_t at = RoundDown(begin, PageBytes()); at < end;) {
    const uint64_t part = std::min<uint64_t>(end - at, pages.size() * PageBytes());
    const uint64_t count = PagesOf(at, at + part);
    if (mincore(const_cast<char*>(start_) + at, part, pages.data()) != 0) return 0;
    found += static_cast<uint64_t>(
        std::count_if(pages.begin(), pages.begin() + static_cast<ptrdiff_t>(count),
                      [](unsigned char page) { return (page & 1) != 0; }));
    at += part;
  }
  return found;
}

// With `random`, a page fault reads one page.
void MappedFile::Advise(bool random) const {
  is_advised_random_.store(random, std::memory_order_relaxed);
  madvise(const_cast<char*>(start_), MappingLength(length_), random ? MADV_RANDOM : MADV_NORMAL);
}

}  // namespace leveldb
