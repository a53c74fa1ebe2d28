#include "db/decide/output_cutter.h"

#include "db/version/level_limits.h"

namespace leveldb {

OutputCutter::OutputCutter(const std::vector<FileMetaPtr>& grandparents,
                           const InternalKeyComparator* comparator, uint64_t max_file_size)
    : grandparents_(grandparents),
      comparator_(comparator),
      max_file_size_(max_file_size),
      max_overlap_bytes_(MaxGrandparentOverlapBytes(max_file_size)) {}

bool OutputCutter::CutBefore(const Slice& next_key, uint64_t output_bytes, const Slice& last_key) {
  PassGrandparentsBefore(next_key);
  if (last_key.empty()) {
    overlap_bytes_ = 0;  // the grandparents passed lie before the output that begins here
    return false;
  }
  if (output_bytes < max_file_size_ && overlap_bytes_ <= max_overlap_bytes_) return false;
  if (comparator_->CompareUserKeys(ExtractUserKey(next_key), ExtractUserKey(last_key)) == 0) {
    return false;
  }
  overlap_bytes_ = 0;
  return true;
}

void OutputCutter::PassGrandparentsBefore(const Slice& key) {
  while (next_grandparent_ < grandparents_.size()) {
    const FileMeta& grandparent = *grandparents_[next_grandparent_];
    if (comparator_->Compare(grandparent.largest.Encode(), key) >= 0) return;
    overlap_bytes_ += grandparent.size;
    next_grandparent_++;
  }
}

}  // namespace leveldb
