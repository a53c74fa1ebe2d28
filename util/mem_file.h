// MemFile holds the contents of one file of a memory Env, with the three ways to open it.
#ifndef BUSHSTORE_UTIL_MEM_FILE_H_
#define BUSHSTORE_UTIL_MEM_FILE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// The bytes grow at the end, in chunks that never move. Thread-safe.
class MemFile {
 public:
  MemFile() = default;

  MemFile(const MemFile&) = delete;
  MemFile& operator=(const MemFile&) = delete;

  uint64_t size() const;

  void Append(const Slice& data);

  // Copies up to n bytes from offset on to scratch; fewer at the end of the file. Returns how many.
  size_t Read(uint64_t offset, size_t n, char* scratch) const;

  // Removes all bytes.
  void Truncate();

 private:
  static constexpr size_t kChunkBytes = 16 * 1024;

  mutable Mutex mutex_;
  uint64_t size_ GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<char[]>> chunks_ GUARDED_BY(mutex_);
};

// Return file objects that share the contents, which live as long as any of them. The caller
// deletes the result.
SequentialFile* NewMemSequentialFile(std::shared_ptr<MemFile> file);
RandomAccessFile* NewMemRandomAccessFile(std::shared_ptr<MemFile> file);
WritableFile* NewMemWritableFile(std::shared_ptr<MemFile> file);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MEM_FILE_H_
