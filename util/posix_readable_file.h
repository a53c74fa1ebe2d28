// Files for reading on a POSIX system.
//
// A random-access file comes in three kinds. The first kMaxMappedFiles of the process are mapped
// into memory, where a read of what is there costs no copy (util/mapped_file.h). A number of
// further ones, a fifth of what the process may have open, keep a descriptor. The rest open their
// file anew for each read.
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

// A number of things that may be in use at a time. Safe for use from several threads.
class ResourceLimit {
 public:
  explicit ResourceLimit(int most) : left_(most) {}

  ResourceLimit(const ResourceLimit&) = delete;
  ResourceLimit& operator=(const ResourceLimit&) = delete;

  // Takes one, if one is left. Each success is to be followed by one Release.
  bool Acquire();
  void Release();

 private:
  std::atomic<int> left_;
};

// What the random-access files of a process share. It must outlive them.
struct ReadLimits {
  ReadLimits();
  // `volume` is not owned and must outlive the limits.
  ReadLimits(int mapped_files, int descriptors, DataVolume* volume);

  ResourceLimit mapped_files;
  ResourceLimit descriptors;
  DataVolume* const volume;
};

// Reads n bytes of the open file at `offset` into scratch: fewer only at the end of the file.
// *result is a slice of scratch, empty on failure. `fname` is for the message.
Status ReadAt(int fd, const std::string& fname, uint64_t offset, size_t n, Slice* result,
              char* scratch);

// Open an existing file and store it in *result for the caller to delete; null on failure.
Status OpenSequentialFile(const std::string& fname, SequentialFile** result);
Status OpenRandomAccessFile(const std::string& fname, ReadLimits* limits,
                            RandomAccessFile** result);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_
