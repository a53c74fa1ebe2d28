// DelayedCall calls a function some time after an event, on a thread of its own.
#ifndef BUSHSTORE_UTIL_DELAYED_CALL_H_
#define BUSHSTORE_UTIL_DELAYED_CALL_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// DelayedCall is thread-safe. It holds no lock while it calls.
class DelayedCall {
 public:
  // `call` is called `delay` after the first Arm() since the last call, and may call Arm() itself.
  // Throws std::system_error if no thread can be started.
  DelayedCall(std::chrono::milliseconds delay, std::function<void()> call);

  // Waits for a running call. A forked child does not have the thread: it must not destroy the
  // object.
  ~DelayedCall();

  DelayedCall(const DelayedCall&) = delete;
  DelayedCall& operator=(const DelayedCall&) = delete;

  // Schedules the call. Cheap if it is scheduled already.
  void Arm() {
    if (!armed_.load(std::memory_order_relaxed)) Wake();
  }

 private:
  void Wake() LOCKS_EXCLUDED(mutex_);
  void Run() LOCKS_EXCLUDED(mutex_);

  const std::chrono::milliseconds delay_;
  const std::function<void()> call_;
  Mutex mutex_;
  CondVar changed_;
  std::atomic<bool> armed_{false};  // changed under the mutex
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_DELAYED_CALL_H_
