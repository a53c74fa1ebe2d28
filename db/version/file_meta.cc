#include "db/version/file_meta.h"

#include <algorithm>

#include "db/version/obsolete_files.h"

namespace leveldb {

namespace {

// A seek costs about as much as compacting kBytesPerSeek of data. A table has at least kMinSeeks.
constexpr uint64_t kBytesPerSeek = 16384;
constexpr uint64_t kMinSeeks = 100;
constexpr uint64_t kMaxSeeks = 1 << 30;

}  // namespace

FileMeta::FileMeta(uint64_t file_number, uint64_t file_size, const InternalKey& smallest_key,
                   const InternalKey& largest_key)
    : number(file_number),
      size(file_size),
      smallest(smallest_key),
      largest(largest_key),
      allowed_seeks(InitialSeeks(file_size)) {}

FileMeta::~FileMeta() {
  if (obsolete_queue != nullptr) obsolete_queue->Add(number);
}

int FileMeta::InitialSeeks(uint64_t size) {
  return static_cast<int>(std::clamp(size / kBytesPerSeek, kMinSeeks, kMaxSeeks));
}

uint64_t TotalBytes(const std::vector<FileMetaPtr>& files) {
  uint64_t bytes = 0;
  for (const FileMetaPtr& file : files) bytes += file->size;
  return bytes;
}

}  // namespace leveldb
