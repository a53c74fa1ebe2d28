// DataVolume tells whether the tables of all open databases fit into memory.
//
// A table that is in memory is best read through a mapping. If the tables do not fit, an access to
// a mapping may cause a page fault that reads much more than a block from the device, or only one
// of its pages; reads then check first whether the bytes are in memory. This class tells which of
// the two applies.
#ifndef BUSHSTORE_UTIL_DATA_VOLUME_H_
#define BUSHSTORE_UTIL_DATA_VOLUME_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// DataVolume is thread-safe.
class DataVolume {
 public:
  // Returns the instance that databases and Env::Default() use.
  static DataVolume* OfProcess();

  // `memory` returns the size of the memory in bytes, never 0. It is called when the amount of data
  // changes, at most once per second.
  explicit DataVolume(uint64_t (*memory)()) : memory_(memory) {}

  DataVolume(const DataVolume&) = delete;
  DataVolume& operator=(const DataVolume&) = delete;

  // Returns whether there is more data than fits into half of the memory. The other half is for the
  // program, for write buffers and for pools that are in memory.
  bool ExceedsMemory() const { return exceeds_.load(std::memory_order_relaxed); }

  // Share is the data of one database, 0 bytes at first. Its members are called by one thread at a
  // time.
  class Share {
   public:
    // Does not own `volume`, which must outlive the share.
    explicit Share(DataVolume* volume) : volume_(volume) {}
    ~Share() { Set(0); }

    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    void Set(uint64_t bytes);

   private:
    DataVolume* const volume_;
    uint64_t bytes_ = 0;
  };

 private:
  void Change(uint64_t from, uint64_t to) LOCKS_EXCLUDED(mutex_);
  bool NeedsMemory() LOCKS_EXCLUDED(mutex_);

  uint64_t (*const memory_)();
  std::atomic<bool> exceeds_{false};
  Mutex mutex_;
  uint64_t total_ GUARDED_BY(mutex_) = 0;
  uint64_t memory_bytes_ GUARDED_BY(mutex_) = 0;  // 0: not known yet
  std::chrono::steady_clock::time_point asked_at_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_DATA_VOLUME_H_
