// DataVolume: whether the tables of all open databases fit into memory.
//
// A table that lies in memory is best read where it lies, through a mapping. Where tables do not
// fit, an access to a mapping may be a page fault that reads much more than a block from the
// device, or only one of its pages; so reads look first whether the bytes are in memory. This class
// tells which of the two applies.
#ifndef BUSHSTORE_UTIL_DATA_VOLUME_H_
#define BUSHSTORE_UTIL_DATA_VOLUME_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Thread-safe.
class DataVolume {
 public:
  // The one that databases and Env::Default() use.
  static DataVolume* OfProcess();

  // `memory` returns how many bytes of memory there are, never 0. It is asked when data come or go,
  // and at most once per second.
  explicit DataVolume(uint64_t (*memory)()) : memory_(memory) {}

  DataVolume(const DataVolume&) = delete;
  DataVolume& operator=(const DataVolume&) = delete;

  // Whether there is more data than fits into half of the memory. The other half is for the
  // program, for write buffers and for pools that lie in memory.
  bool ExceedsMemory() const { return exceeds_.load(std::memory_order_relaxed); }

  // The part of one database, 0 bytes at first. Its members are called by one thread at a time.
  class Share {
   public:
    // `volume` is not owned and must outlive the share.
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
  uint64_t memory_bytes_ GUARDED_BY(mutex_) = 0;  // 0: not asked yet
  std::chrono::steady_clock::time_point asked_at_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_DATA_VOLUME_H_
