// ScopedIncrement raises a shared count of threads until the end of a scope.
#ifndef BUSHSTORE_UTIL_SCOPED_INCREMENT_H_
#define BUSHSTORE_UTIL_SCOPED_INCREMENT_H_

#include <atomic>

namespace leveldb {

// The count is a hint to other threads: it orders nothing. `count` is not owned and must outlive
// this object.
class ScopedIncrement {
 public:
  explicit ScopedIncrement(std::atomic<int>* count) : count_(count) {
    count_->fetch_add(1, std::memory_order_relaxed);
  }
  ~ScopedIncrement() { count_->fetch_sub(1, std::memory_order_relaxed); }
  ScopedIncrement(const ScopedIncrement&) = delete;
  ScopedIncrement& operator=(const ScopedIncrement&) = delete;

 private:
  std::atomic<int>* const count_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_SCOPED_INCREMENT_H_
