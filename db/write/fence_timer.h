// A thread that sees to it that nothing acknowledged stays unfenced for long.
#ifndef BUSHSTORE_DB_WRITE_FENCE_TIMER_H_
#define BUSHSTORE_DB_WRITE_FENCE_TIMER_H_

#include <atomic>
#include <functional>
#include <thread>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Thread-safe.
class FenceTimer {
 public:
  // `fence` is called on a thread of its own, some 50 ms after each Arm() that was not followed by
  // a call yet.
  explicit FenceTimer(std::function<void()> fence);

  // Waits for a call that is running. A forked child has no such thread: it must not destroy the
  // timer.
  ~FenceTimer();

  FenceTimer(const FenceTimer&) = delete;
  FenceTimer& operator=(const FenceTimer&) = delete;

  // Cheap if it is armed already.
  void Arm() {
    if (!armed_.load(std::memory_order_relaxed)) Wake();
  }

 private:
  void Wake() LOCKS_EXCLUDED(mutex_);
  void Run() LOCKS_EXCLUDED(mutex_);

  const std::function<void()> fence_;
  Mutex mutex_;
  CondVar changed_;
  std::atomic<bool> armed_{false};  // changed under the mutex
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_FENCE_TIMER_H_
