#include "util/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "port/page_bytes.h"
#include "util/posix_io.h"
#include "util/round.h"

namespace leveldb {

namespace {

// The kernel maps a file in a huge page by one entry only if all of that page is mapped; the bytes
// after the end of the file are not read. Small files do without.
size_t MappingLength(size_t file_length) {
  constexpr size_t kHugePage = size_t{2} << 20;
  if (file_length < kHugePage / 2) return file_length;
  return (file_length + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

// The file, open for as long as this object exists.
class MappedFile::OpenForCall {
 public:
  explicit OpenForCall(const MappedFile& file) : fd_(file.fd_.load(std::memory_order_acquire)) {
    if (fd_ < 0) Open(file);
  }

  // -1: there is no such file any more, or no descriptor.
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
  return new MappedFile(fname, info, static_cast<const char*>(start), limits);
}

MappedFile::MappedFile(const std::string& fname, const struct stat& info, const char* start,
                       ReadLimits* limits)
    : fname_(fname),
      device_(info.st_dev),
      inode_(info.st_ino),
      start_(start),
      length_(static_cast<size_t>(info.st_size)),
      limits_(limits) {}

MappedFile::~MappedFile() {
  munmap(const_cast<char*>(start_), MappingLength(length_));
  limits_->mapped_files.Release();
  if (fd_.load(std::memory_order_relaxed) >= 0) {
    close(fd_.load(std::memory_order_relaxed));
    limits_->descriptors.Release();
  }
}

Status MappedFile::Read(uint64_t offset, size_t n, Slice* result, char* scratch) const {
  const size_t begin = static_cast<size_t>(std::min<uint64_t>(offset, length_));
  const size_t size = std::min(n, length_ - begin);
  if (exceeds_memory()) {
    AdviseRandom();
    if (size > 0 && PagesInMemory(begin, begin + size, true) == 0) {
      const OpenForCall file(*this);
      if (file.get() >= 0) return ReadAt(file.get(), fname_, offset, n, result, scratch);
    }
  }
  *result = Slice(start_ + begin, size);
  return Status::OK();
}

uint64_t MappedFile::BytesInMemory() const {
  if (!exceeds_memory()) return length_;
  return std::min<uint64_t>(PagesInMemory(0, length_, false) * PageBytes(), length_);
}

// The mapping is shared with the file, so nothing is lost.
void MappedFile::ReleasePages() const {
  madvise(const_cast<char*>(start_), MappingLength(length_), MADV_DONTNEED);
}

bool MappedFile::WillRead(uint64_t offset, uint64_t n) const {
  if (!exceeds_memory()) return false;
  const uint64_t begin = std::min<uint64_t>(offset, length_);
  const uint64_t end = begin + std::min(n, length_ - begin);
  if (begin == end || PagesInMemory(begin, end, true) > 0) return true;
  const uint64_t first = RoundDown(begin, PageBytes());
  madvise(const_cast<char*>(start_) + first, end - first, MADV_WILLNEED);
  return false;
}

void MappedFile::WontRead(uint64_t offset, uint64_t n) const {
  if (!exceeds_memory()) return;
  const uint64_t end = std::min<uint64_t>(offset + n, length_);
  const uint64_t first = RoundUp(offset, PageBytes());
  const uint64_t last = end == length_ ? end : RoundDown(end, PageBytes());
  if (first >= last) return;
  // The system keeps pages that a process has mapped.
  madvise(const_cast<char*>(start_) + first, last - first, MADV_DONTNEED);
  const OpenForCall file(*this);
  if (file.get() >= 0) {
    posix_fadvise(file.get(), static_cast<off_t>(first), static_cast<off_t>(last - first),
                  POSIX_FADV_DONTNEED);
  }
}

uint64_t MappedFile::PagesInMemory(uint64_t begin, uint64_t end, bool all_or_none) const {
  std::array<unsigned char, 256> pages;
  uint64_t found = 0;
  for (uint64_t at = RoundDown(begin, PageBytes()); at < end;) {
    const uint64_t part = std::min<uint64_t>(end - at, pages.size() * PageBytes());
    const uint64_t count = RoundUp(part, PageBytes()) / PageBytes();
    // Where that is not known, the mapping is as good as any way to read.
    if (mincore(const_cast<char*>(start_) + at, part, pages.data()) != 0) pages.fill(1);
    const auto in_memory = static_cast<uint64_t>(
        std::count_if(pages.begin(), pages.begin() + static_cast<ptrdiff_t>(count),
                      [](unsigned char page) { return (page & 1) != 0; }));
    found += in_memory;
    if (all_or_none && in_memory < count) return 0;
    at += part;
  }
  return found;
}

// From now on a page fault reads one page. Not taken back when data shrinks again: what is in
// memory then stays there.
void MappedFile::AdviseRandom() const {
  if (is_advised_random_.load(std::memory_order_relaxed)) return;
  is_advised_random_.store(true, std::memory_order_relaxed);
  madvise(const_cast<char*>(start_), MappingLength(length_), MADV_RANDOM);
}

}  // namespace leveldb
