// FileReadAhead: makes the device read ahead of a scan of one table, if the data of the process
// exceeds its memory.
//
// The system reads ahead of mappings and files by itself, but does not know where blocks end,
// whether the scan continues, or that it will not return.
#ifndef BUSHSTORE_TABLE_FILE_READ_AHEAD_H_
#define BUSHSTORE_TABLE_FILE_READ_AHEAD_H_

#include <cstdint>

#include "util/file_pages.h"
#include "util/scan_window.h"

namespace leveldb {

// Used by one thread at a time.
class FileReadAhead {
 public:
  // Does nothing if `pages` is null. A scan of several tables passes its window to each; if
  // `window` is null, the object uses its own. Both must outlive the object. `once` means that the
  // scan reads the whole table, and that what it has passed is not read again: it is then dropped
  // from the system's cache unless most of it was there before.
  FileReadAhead(const FilePages* pages, ScanWindow* window, bool once)
      : pages_(pages), window_(window == nullptr ? &own_window_ : window), once_(once) {
    if (once) window_->StartAtMost();
  }
  ~FileReadAhead() { Restart(); }

  FileReadAhead(const FileReadAhead&) = delete;
  FileReadAhead& operator=(const FileReadAhead&) = delete;

  // Returns whether steps have an effect.
  bool IsOn() const { return pages_ != nullptr && pages_->exceeds_memory(); }

  // Reads ahead of a step to a block, the next one in the file or the one before. Called before the
  // block is read. REQUIRES: IsOn().
  void StepForward(uint64_t offset, uint64_t size);
  void StepBackward(uint64_t offset, uint64_t size);

  // Starts over for a scan that continues elsewhere in the file, and will be long.
  void Restart();

  // Starts over, with a small window, for a scan that continues elsewhere in the file, and may end
  // soon.
  void Jump() {
    Restart();
    if (!once_) window_->Restart();
  }

 private:
  // A range of the file that was prefetched at once.
  struct Stretch {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool leaves = false;  // drop it from the system's cache after the scan has passed it
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
