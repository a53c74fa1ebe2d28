#include "table/file_read_ahead.h"

#include <algorithm>

namespace leveldb {

FileReadAhead::~FileReadAhead() {
  Restart();
}

void FileReadAhead::Restart() {
  Leave(passed_);
  Leave(ahead_);
  passed_ = ahead_ = Stretch();
  begun_end_ = 0;
  begun_begin_ = UINT64_MAX;
}

// Half of a stretch is left when the next is asked for, so that the device does not wait.
void FileReadAhead::ReadForward(uint64_t offset, uint64_t size) {
  if (!pages_->exceeds_memory()) return;
  const uint64_t begin = std::max(offset, ahead_.end);
  const uint64_t end = std::max(begin + window_->Take(), offset + size);
  Ask(begin, end);
  begun_end_ = end - (end - begin) / 2;
}

void FileReadAhead::ReadBackward(uint64_t offset, uint64_t size) {
  if (!pages_->exceeds_memory()) return;
  const uint64_t end = ahead_.end == 0 ? offset + size : ahead_.begin;
  if (end == 0) return;  // all of the file has been asked for
  const uint64_t bytes = window_->Take();
  const uint64_t begin = std::min(end - std::min(bytes, end), offset);
  Ask(begin, end);
  begun_begin_ = begin + (end - begin) / 2;
}

void FileReadAhead::Ask(uint64_t begin, uint64_t end) {
  Leave(passed_);
  passed_ = ahead_;
  ahead_.begin = begin;
  ahead_.end = end;
  ahead_.was_in_memory = pages_->WillRead(begin, end - begin);
}

void FileReadAhead::Leave(const Stretch& stretch) const {
  if (once_ && !stretch.was_in_memory) {
    pages_->WontRead(stretch.begin, stretch.end - stretch.begin);
  }
}

}  // namespace leveldb
