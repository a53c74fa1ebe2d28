// FilePages: what the random-access files of Env::Default() offer beyond RandomAccessFile, namely
// hints about the pages of the file that the system's cache holds.
#ifndef BUSHSTORE_UTIL_FILE_PAGES_H_
#define BUSHSTORE_UTIL_FILE_PAGES_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

// Thread-safe.
class FilePages {
 public:
  virtual ~FilePages() = default;

  // Where the file is mapped as long as it is open; null if it is not. Reads return slices of the
  // mapping where the bytes are in memory.
  virtual const char* mapping() const = 0;

  // Whether reads look where the bytes are, because the data of the process exceeds its memory.
  // While it is false, WillRead and WontRead do nothing. It is never true of a file that is always
  // in memory: on a tmpfs or a DAX file system.
  virtual bool exceeds_memory() const = 0;

  // About how many bytes of the file are in memory; all of them while exceeds_memory() is false.
  virtual uint64_t BytesInMemory() const = 0;

  // Takes all pages out of this process's resident memory. What reads have returned stays valid,
  // and the pages stay in the system's cache: the next access maps them again.
  virtual void ReleasePages() const = 0;

  // Begins to read these bytes into the system's cache, and does not wait for them. Returns whether
  // all of them, or most, or less than half are in memory already.
  enum class InMemory { kAll, kMost, kLittle };
  virtual InMemory WillRead(uint64_t offset, uint64_t n) const = 0;

  // Takes the pages that lie between these bytes out of the system's cache. What reads have
  // returned stays valid, and is read again when it is looked at.
  virtual void WontRead(uint64_t offset, uint64_t n) const = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_FILE_PAGES_H_
