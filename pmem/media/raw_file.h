// RawFile: the file or DAX device that a pool begins with, read and written without libpmemobj.
#ifndef BUSHSTORE_PMEM_MEDIA_RAW_FILE_H_
#define BUSHSTORE_PMEM_MEDIA_RAW_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

// Holds no descriptor and no mapping between calls. Thread-safe.
class RawFile {
 public:
  // A file or device of `bytes` bytes. A device can only be mapped, and only in whole multiples of
  // `map_unit`, its alignment; 0 means an ordinary file.
  RawFile(const std::string& path, uint64_t bytes, uint64_t map_unit)
      : path_(path), bytes_(bytes), map_unit_(map_unit) {}

  const std::string& path() const { return path_; }
  uint64_t bytes() const { return bytes_; }
  uint64_t map_unit() const { return map_unit_; }

  // Reads up to n bytes at `at`, and sets *filled to the number read. REQUIRES: the range is inside
  // the file. Files are read, not mapped, so that a file that shrinks at the same time, or has bad
  // blocks, causes an error and not a signal.
  Status Read(uint64_t at, size_t n, char* to, size_t* filled) const;

  // Writes n bytes at `at`, which are on the medium on return. REQUIRES: the range is inside the
  // file.
  Status Write(uint64_t at, const char* from, size_t n) const;

 private:
  bool is_device() const { return map_unit_ != 0; }
  Status WriteDevice(int fd, uint64_t at, const char* from, size_t n) const;

  const std::string path_;
  const uint64_t bytes_;
  const uint64_t map_unit_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_RAW_FILE_H_
