// A queue of the tables that nothing refers to any more, for a cleanup job to delete.

#ifndef BUSHSTORE_DB_VERSION_OBSOLETE_FILES_H_
#define BUSHSTORE_DB_VERSION_OBSOLETE_FILES_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Thread-safe. A reader that releases the last reference to a dropped table only adds its number
// here, so that no read ever removes a file.
class ObsoleteFiles {
 public:
  ObsoleteFiles() = default;

  ObsoleteFiles(const ObsoleteFiles&) = delete;
  ObsoleteFiles& operator=(const ObsoleteFiles&) = delete;

  void Add(uint64_t number);

  // Removes all queued numbers and returns them in the order of arrival.
  std::vector<uint64_t> TakeAll();

  // Cheap; the result may be out of date when it is used.
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }

 private:
  Mutex mutex_;
  std::vector<uint64_t> numbers_ GUARDED_BY(mutex_);
  std::atomic<size_t> count_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_OBSOLETE_FILES_H_
