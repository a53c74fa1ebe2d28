#include "table/file_read_ahead.h"

#include <algorithm>

namespace leveldb {

void FileReadAhead::Restart() {
  Leave(passed_);
  Leave(ahead_);
  passed_ = ahead_ = Stretch();
}

// The next stretch is prefetched when half of the last one is left, so that the device need not
// wait.
void FileReadAhead::StepForward(uint64_t offset, uint64_t size) {
  if (!is_forward_) Restart();
  is_forward_ = true;
  if (offset + size <= ahead_.end - (ahead_.end - ahead_.begin) / 2) return;
  const uint64_t begin = std::max(offset, ahead_.end);
  PrefetchRange(begin, std::max(begin + window_->Take(), offset + size));
}

void FileReadAhead::StepBackward(uint64_t offset, uint64_t size) {
  if (is_forward_) Restart();
  is_forward_ = false;
  const bool has_stretch = ahead_.end > 0;
  if (has_stretch && offset >= ahead_.begin + (ahead_.end - ahead_.begin) / 2) return;
  const uint64_t end = has_stretch ? ahead_.begin : offset + size;
  if (end == 0) return;  // prefetched up to the beginning of the file
  const uint64_t bytes = window_->Take();
  PrefetchRange(std::min(end - std::min(bytes, end), offset), end);
}

void FileReadAhead::PrefetchRange(uint64_t begin, uint64_t end) {
  Leave(passed_);
  passed_ = ahead_;
  ahead_.begin = begin;
  ahead_.end = end;
  ahead_.leaves = pages_->WillRead(begin, end - begin) == FilePages::InMemory::kLittle && once_;
}

void FileReadAhead::Leave(const Stretch& stretch) const {
  if (stretch.leaves) pages_->WontRead(stretch.begin, stretch.end - stretch.begin);
}

}  // namespace leveldb
