// FileReadAhead: reads the device ahead of a scan of one table, if the data of the process exceeds
// its memory.
//
// The system reads ahead of mappings and files by itself, but cannot know where blocks end, whether
// the scan goes on, or that it will not come back.
#ifndef BUSHSTORE_TABLE_FILE_READ_AHEAD_H_
#define BUSHSTORE_TABLE_FILE_READ_AHEAD_H_

#include <cstdint>

#include "util/file_pages.h"
#include "util/scan_window.h"

namespace leveldb {

// Used by one thread at a time.
class FileReadAhead {
 public:
  // `pages` may be null: then nothing is done. A scan of several tables passes its window on to
  // each; without one the object has its own. Both must outlive the object. `once` says that the
  // scan reads the whole table, and that what it has passed is not read again: it leaves the
  // system's cache unless most of it was there before.
  FileReadAhead(const FilePages* pages, ScanWindow* window, bool once)
      : pages_(pages), window_(window == nullptr ? &own_window_ : window), once_(once) {
    if (once) window_->StartAtMost();
  }
  ~FileReadAhead() { Restart(); }

  FileReadAhead(const FileReadAhead&) = delete;
  FileReadAhead& operator=(const FileReadAhead&) = delete;

  // Whether steps do anything.
  bool IsOn() const { return pages_ != nullptr && pages_->exceeds_memory(); }

  // The scan steps on to a block, the next one in the file or the one before. REQUIRES: IsOn().
  void StepForward(uint64_t offset, uint64_t size);
  void StepBackward(uint64_t offset, uint64_t size);

  // The scan continues elsewhere in the file, and will be long.
  void Restart();

  // The scan continues elsewhere in the file, and may end soon.
  void Jump() {
    Restart();
    if (!once_) window_->Restart();
  }

 private:
  // Bytes of the file that were asked for together.
  struct Stretch {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool leaves = false;  // the system's cache, when the scan has passed it
  };

  void PrefetchRange(uint64_t begin, uint64_t end);
  void Leave(const Stretch& stretch) const;

  const FilePages* const pages_;
  ScanWindow own_window_;
  ScanWindow* const window_;
  const bool once_;

  bool is_forward_ = true;
  Stretch passed_;  // the last but one
  Stretch ahead_;   // the last one; empty: none yet
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_FILE_READ_AHEAD_H_
