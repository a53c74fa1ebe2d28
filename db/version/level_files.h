// The files of one level of a version. Versions share the lists of levels that did not change.

#ifndef BUSHSTORE_DB_VERSION_LEVEL_FILES_H_
#define BUSHSTORE_DB_VERSION_LEVEL_FILES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/version/file_meta.h"
#include "db/version/key_digits.h"
#include "leveldb/slice.h"

namespace leveldb {

// Immutable, hence thread-safe. Keeps contiguous copies of the largest keys, so that a binary
// search does not follow two pointers for each file that it compares, and their digits, so that it
// need not compare most of them.
class LevelFiles {
 public:
  LevelFiles() = default;

  // `files` must be in the order of the level (see Version::files()).
  explicit LevelFiles(std::vector<FileMetaPtr> files);

  LevelFiles(const LevelFiles&) = delete;
  LevelFiles& operator=(const LevelFiles&) = delete;

  const std::vector<FileMetaPtr>& files() const { return files_; }
  size_t size() const { return files_.size(); }
  bool empty() const { return files_.empty(); }
  const FileMetaPtr& operator[](size_t index) const { return files_[index]; }

  // Returns the largest internal key of file `index`.
  const Slice& largest(size_t index) const { return largest_keys_[index]; }

  // Narrows searches among the largest user keys.
  // REQUIRES: the files are sorted, and the comparator is bytewise.
  const KeyDigits& largest_digits() const { return largest_digits_; }

  // Returns the sum of the file sizes.
  uint64_t bytes() const { return bytes_; }

 private:
  std::vector<FileMetaPtr> files_;
  std::string key_bytes_;
  std::vector<Slice> largest_keys_;  // into key_bytes_
  KeyDigits largest_digits_;         // of largest_keys_, without trailers
  uint64_t bytes_ = 0;
};

using LevelFilesPtr = std::shared_ptr<const LevelFiles>;

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_LEVEL_FILES_H_
