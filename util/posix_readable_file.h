// Files for reading on a POSIX system.
//
// There are three kinds of random-access files. The first kMaxMappedFiles of the process are mapped
// into memory, where a read of bytes in memory costs no copy (util/mapped_file.h). Further ones, up
// to a fifth of the descriptors that the process may have open, keep a descriptor. The rest open
// their file for each read.
#ifndef BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_
#define BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class DataVolume;

// ResourceLimit counts how many of something may still be in use at a time. Thread-safe.
class ResourceLimit {
 public:
  explicit ResourceLimit(int most) : left_(most) {}

  ResourceLimit(const ResourceLimit&) = delete;
  ResourceLimit& operator=(const ResourceLimit&) = delete;

  // Acquire takes one if one is left, and returns whether it did. Each success must be followed by
  // one Release.
  bool Acquire();
  void Release();

 private:
  std::atomic<int> left_;
};

// ReadLimits is the state that the random-access files of a process share. It must outlive them.
struct ReadLimits {
  ReadLimits();
  // Does not own `volume`, which must outlive the limits.
  ReadLimits(int mapped_files, int descriptors, DataVolume* volume);

  ResourceLimit mapped_files;
  ResourceLimit descriptors;
  DataVolume* const volume;
};

// Reads n bytes of the open file at `offset` into scratch: fewer only at the end of the file.
// *result is a slice of scratch, empty on failure. `fname` is for the error message.
Status ReadAt(int fd, const std::string& fname, uint64_t offset, size_t n, Slice* result,
              char* scratch);

// Open an existing file and store it in *result for the caller to delete; null on failure.
Status OpenSequentialFile(const std::string& fname, SequentialFile** result);
Status OpenRandomAccessFile(const std::string& fname, ReadLimits* limits,
                            RandomAccessFile** result);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_
