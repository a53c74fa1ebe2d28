// MappedFile: a file for reading that is mapped into memory.
#ifndef BUSHSTORE_UTIL_MAPPED_FILE_H_
#define BUSHSTORE_UTIL_MAPPED_FILE_H_

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "util/data_volume.h"
#include "util/file_pages.h"
#include "util/posix_readable_file.h"

namespace leveldb {

// While the data of the process fits into its memory, a read returns a slice of the mapping.
//
// Once it does not fit (DataVolume), a read does so only if the system has the pages in memory.
// Otherwise it reads exactly the wanted bytes from the file: one device read, where a page fault
// would read each page on its own or, with read-ahead, up to some MiB. For these reads the file is
// opened again by its name, and stays open if a descriptor is left. If the name has gone or belongs
// to another file by then, the mapping is used. mincore tells where pages are; it says "in memory"
// of all of them to a process that may not write the file, whose reads then are page faults without
// read-ahead.
class MappedFile final : public RandomAccessFile, public FilePages {
 public:
  // Returns the whole of the open file as a mapped one, or null where it cannot be mapped: an empty
  // file, a file system without mappings, no limit left. `fd` stays the caller's. `limits` must
  // outlive the file.
  static MappedFile* Map(const std::string& fname, int fd, ReadLimits* limits);

  ~MappedFile() override;

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override;

  const char* mapping() const override { return start_; }
  bool exceeds_memory() const override { return limits_->volume->ExceedsMemory(); }
  uint64_t BytesInMemory() const override;
  void ReleasePages() const override;
  bool WillRead(uint64_t offset, uint64_t n) const override;
  void WontRead(uint64_t offset, uint64_t n) const override;

 private:
  class OpenForCall;

  // Takes over the mapping of `length` bytes and one of limits' mapped files.
  MappedFile(const std::string& fname, const struct stat& info, const char* start,
             ReadLimits* limits);

  // The number of the pages from `begin` to `end` that are in memory. With all_or_none, 0 unless
  // all are.
  uint64_t PagesInMemory(uint64_t begin, uint64_t end, bool all_or_none) const;
  void AdviseRandom() const;

  const std::string fname_;
  const dev_t device_;
  const ino_t inode_;
  const char* const start_;
  const size_t length_;
  ReadLimits* const limits_;
  mutable std::atomic<bool> is_advised_random_{false};
  mutable std::atomic<int> fd_{-1};  // open for reads that bypass the mapping; -1: not (yet)
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MAPPED_FILE_H_
