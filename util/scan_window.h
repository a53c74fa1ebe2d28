// ScanWindow tells how much a scan reads ahead from the device.
#ifndef BUSHSTORE_UTIL_SCAN_WINDOW_H_
#define BUSHSTORE_UTIL_SCAN_WINDOW_H_

#include <algorithm>
#include <cstdint>

namespace leveldb {

// The window doubles while a scan goes on, from table to table. Used by one thread at a time.
class ScanWindow {
 public:
  static constexpr uint64_t kLeast = uint64_t{16} << 10;
  static constexpr uint64_t kMost = uint64_t{1} << 20;

  // Returns the number of bytes to read ahead next.
  uint64_t Take() {
    const uint64_t bytes = next_;
    next_ = std::min(2 * next_, kMost);
    return bytes;
  }

  // Tells that the scan continues somewhere else, where it may end soon.
  void Restart() { next_ = kLeast; }

  // Tells that the scan is known to go on to its end.
  void StartAtMost() { next_ = kMost; }

 private:
  uint64_t next_ = kLeast;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_SCAN_WINDOW_H_
