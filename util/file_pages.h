// FilePages is the part of the random-access files of Env::Default() that goes beyond
// RandomAccessFile: hints about the pages of the file in the system's cache.
#ifndef BUSHSTORE_UTIL_FILE_PAGES_H_
#define BUSHSTORE_UTIL_FILE_PAGES_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// FilePages is thread-safe.
class FilePages {
 public:
  virtual ~FilePages() = default;

  // Returns the mapping of the file, which lasts as long as it is open; null if it is not mapped.
  // Reads return slices of the mapping where the bytes are in memory.
  virtual const char* mapping() const = 0;

  // Returns whether reads check first where the bytes are, because the data of the process exceeds
  // its memory. While it is false, WillRead and WontRead do nothing. It is always false for a file
  // that is always in memory: on a tmpfs or a DAX file system.
  virtual bool exceeds_memory() const = 0;

  // Returns about how many bytes of the file are in memory; all of them while exceeds_memory() is
  // false.
  virtual uint64_t BytesInMemory() const = 0;

  // Removes all pages from this process's resident memory. The results of reads stay valid, and the
  // pages stay in the system's cache: the next access maps them again.
  virtual void ReleasePages() const = 0;

  // Begins to read these bytes into the system's cache, and does not wait for them. Returns whether
  // all of them, most, or less than half are in memory already.
  enum class InMemory { kAll, kMost, kLittle };
  virtual InMemory WillRead(uint64_t offset, uint64_t n) const = 0;

  // Drops the pages that lie within these bytes from the system's cache. The results of reads stay
  // valid, and are read again when they are accessed.
  virtual void WontRead(uint64_t offset, uint64_t n) const = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_FILE_PAGES_H_
