// BackgroundThreads is a queue of work and the threads that run it.
//
// A thread is started when work has to wait and there are fewer threads than the limit; threads
// never end. Work begins in the order in which it was scheduled, and runs concurrently if there are
// several threads.
//
// On Linux the threads run at a lower priority, so that threads that read and write go first where
// processors are few. If the background work cannot keep up, writers wait for it, which frees their
// processors.
#ifndef BUSHSTORE_UTIL_BACKGROUND_THREADS_H_
#define BUSHSTORE_UTIL_BACKGROUND_THREADS_H_

#include <deque>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Must not be destroyed once work has been scheduled, because its threads use it until the process
// ends. Thread-safe.
class BackgroundThreads {
 public:
  // The amount added to the nice value of the process's first thread: it leaves about a tenth of
  // the share.
  static constexpr int kNiceness = 10;

  // Starts at most `limit` threads. REQUIRES: limit > 0.
  explicit BackgroundThreads(int limit);

  BackgroundThreads(const BackgroundThreads&) = delete;
  BackgroundThreads& operator=(const BackgroundThreads&) = delete;

  // Runs function(arg) on one of the threads.
  void Schedule(void (*function)(void* arg), void* arg) LOCKS_EXCLUDED(mutex_);

 private:
  struct Work {
    void (*function)(void* arg);
    void* arg;
  };

  void ServeForever() LOCKS_EXCLUDED(mutex_);

  const int limit_;
  Mutex mutex_;
  CondVar work_came_;
  std::deque<Work> queue_ GUARDED_BY(mutex_);
  int threads_ GUARDED_BY(mutex_) = 0;
  int idle_threads_ GUARDED_BY(mutex_) = 0;
};

// Runs function(arg) on a new detached thread. Returns false if the system cannot start one.
bool StartDetachedThread(void (*function)(void* arg), void* arg);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_BACKGROUND_THREADS_H_
