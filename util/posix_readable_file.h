// Files for reading on a POSIX system.
//
// A random-access file comes in three kinds. The first kMaxMappedFiles of the process are mapped
// into memory, where a read costs no system call and no copy. A number of further ones, a fifth of
// what the process may have open, keep a descriptor. The rest open their file anew for each read.
#ifndef BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_
#define BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_

#include <atomic>
#include <string>

#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

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
  ReadLimits(int mapped_files, int descriptors);

  ResourceLimit mapped_files;
  ResourceLimit descriptors;
};

// Open an existing file and store it in *result for the caller to delete; null on failure.
Status OpenSequentialFile(const std::string& fname, SequentialFile** result);
Status OpenRandomAccessFile(const std::string& fname, ReadLimits* limits,
                            RandomAccessFile** result);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_READABLE_FILE_H_
