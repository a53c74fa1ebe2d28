#include "db/version/level_files.h"

#include <utility>

namespace leveldb {

LevelFiles::LevelFiles(std::vector<FileMetaPtr> files)
    : files_(std::move(files)), bytes_(TotalBytes(files_)) {
  size_t key_bytes = 0;
  for (const FileMetaPtr& file : files_) key_bytes += file->largest.Encode().size();
  key_bytes_.reserve(key_bytes);  // so that it is not reallocated while slices point into it
  largest_keys_.reserve(files_.size());
  for (const FileMetaPtr& file : files_) {
    const Slice largest = file->largest.Encode();
    const size_t offset = key_bytes_.size();
    key_bytes_.append(largest.data(), largest.size());
    largest_keys_.emplace_back(key_bytes_.data() + offset, largest.size());
  }
  std::vector<Slice> user_keys;
  user_keys.reserve(largest_keys_.size());
  for (const Slice& key : largest_keys_) user_keys.push_back(ExtractUserKey(key));
  largest_digits_ = KeyDigits(user_keys);
}

}  // namespace leveldb
