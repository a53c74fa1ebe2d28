// FileReadAhead: reads the device ahead of a scan of one table, if the data of the process exceeds
// its memory.
//
// The system reads ahead of mappings and files by itself, but cannot know where blocks end, whether
// the scan goes on, or that it will not come back.
#ifndef BUSHSTORE_TABLE_FILE_READ_AHEAD_H_
#define BUSHSTORE_TABLE_FILE_READ_AHEAD_H_

#include <cstdint>

#include "iterator/scan_window.h"
#include "util/file_pages.h"

namespace leveldb {

// Used by one thread at a time.
class FileReadAhead {
 public:
  // `pages` may be null: then nothing is done. A scan of several tables passes its window on to
  // each; without one the object has its own. Both must outlive the object. `once` says that what
  // the scan has passed is not read again: it leaves the system's cache unless it was there before.
  FileReadAhead(const FilePages* pages, ScanWindow* window, bool once)
      : pages_(pages), window_(window == nullptr ? &own_window_ : window), once_(once) {
    if (once) window_->Open();
  }
  ~FileReadAhead();

  FileReadAhead(const FileReadAhead&) = delete;
  FileReadAhead& operator=(const FileReadAhead&) = delete;

  // The scan steps on to a block, the next one in the file or the one before.
  void StepForward(uint64_t offset, uint64_t size) {
    if (pages_ != nullptr && offset + size > begun_end_) ReadForward(offset, size);
  }
  void StepBackward(uint64_t offset, uint64_t size) {
    if (pages_ != nullptr && offset < begun_begin_) ReadBackward(offset, size);
  }

  // The scan goes on elsewhere in the file, and on.
  void Restart();

  // The scan goes on elsewhere in the file, and may end soon.
  void Jump() {
    if (pages_ == nullptr) return;
    Restart();
    if (!once_) window_->Restart();
  }

 private:
  // Bytes of the file that were asked for together.
  struct Stretch {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool was_in_memory = true;
  };

  void ReadForward(uint64_t offset, uint64_t size);
  void ReadBackward(uint64_t offset, uint64_t size);
  void Ask(uint64_t begin, uint64_t end);
  void Leave(const Stretch& stretch) const;

  const FilePages* const pages_;
  ScanWindow own_window_;
  ScanWindow* const window_;
  const bool once_;

  // The next stretch is asked for when a block is come to that lies beyond these.
  uint64_t begun_end_ = 0;
  uint64_t begun_begin_ = UINT64_MAX;
  Stretch passed_;  // the last but one
  Stretch ahead_;   // the last one
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_FILE_READ_AHEAD_H_
