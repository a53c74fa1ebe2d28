// MappedFile is a file for reading that is mapped into memory.
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

// A read returns a slice of the mapping while the data of the process fits into its memory.
//
// If it does not fit (DataVolume), a read does so only if the system has the pages in memory.
// Otherwise it reads exactly the wanted bytes from the file: one device read, where a page fault
// would read each page on its own or, with read-ahead, up to some MiB. Reads in the order of the
// file read ahead. For these reads the file is opened again by its name, and stays open if a
// descriptor is left. If the name is gone or belongs to another file by then, the mapping is used.
//
// mincore tells which pages are in memory. It does not tell a process that neither owns the file
// nor may write it; such a process then always reads from the file.
class MappedFile final : public RandomAccessFile, public FilePages {
 public:
  // Returns the whole open file as a mapped one, or null if it cannot be mapped: an empty file, a
  // file system without mappings, or no mapping left in `limits`. The caller keeps `fd`. `limits`
  // must outlive the file.
  static MappedFile* Map(const std::string& fname, int fd, ReadLimits* limits);

  ~MappedFile() override;

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override;

  const char* mapping() const override { return start_; }
  bool exceeds_memory() const override {
    return !is_always_in_memory_ && limits_->volume->ExceedsMemory();
  }
  uint64_t BytesInMemory() const override;
  void ReleasePages() const override;
  InMemory WillRead(uint64_t offset, uint64_t n) const override;
  void WontRead(uint64_t offset, uint64_t n) const override;

 private:
  class OpenForCall;

  // Takes over the mapping of `length` bytes, and one of the mapped files of `limits`.
  MappedFile(const std::string& fname, const struct stat& info, bool is_always_in_memory,
             const char* start, ReadLimits* limits);

  void PrefetchFromDevice(uint64_t begin, uint64_t end) const;
  void ReadAhead(uint64_t offset, uint64_t n) const;
  uint64_t PagesInMemory(uint64_t begin, uint64_t end) const;
  void Advise(bool random) const;

  const std::string fname_;
  const dev_t device_;
  const ino_t inode_;
  const bool is_always_in_memory_;
  const bool can_tell_;  // which pages are in memory
  const char* const start_;
  const size_t length_;
  ReadLimits* const limits_;
  mutable std::atomic<bool> is_advised_random_{false};
  mutable std::atomic<int> fd_{-1};  // open for reads that bypass the mapping; -1: not (yet)

  // State for readers that give no hints, which are Envs of programs around the default one, and
  // checks: the page where the last read that bypassed the mapping ended, and how much to read
  // ahead at the next one that continues there. Concurrent reads disturb this for each other.
  mutable std::atomic<bool> is_hinted_{false};  // whether the reader gives hints
  mutable std::atomic<uint64_t> last_end_{UINT64_MAX};
  mutable std::atomic<uint64_t> window_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MAPPED_FILE_H_
