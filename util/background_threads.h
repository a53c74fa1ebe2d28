// A queue of work and the threads that do it.
//
// Threads are made when work has to wait and there are fewer than the limit; they never end. Work
// is begun in the order it came, and pieces of it overlap when there are several threads.
//
// On Linux the threads step back where processors are few: threads that read and write go first.
// When the work falls behind, writers wait for it and leave it their processors.
#ifndef BUSHSTORE_UTIL_BACKGROUND_THREADS_H_
#define BUSHSTORE_UTIL_BACKGROUND_THREADS_H_

#include <deque>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Never destroyed once work has been scheduled, because its threads use it until the process ends.
// Safe for use from several threads.
class BackgroundThreads {
 public:
  // What is added to the nice value of the process's first thread: about a tenth of its share.
  static constexpr int kNiceness = 10;

  // At most that many threads. REQUIRES: limit > 0.
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

// Runs function(arg) on a new thread that is not waited for. False when the system has no thread
// to give.
bool StartDetachedThread(void (*function)(void* arg), void* arg);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_BACKGROUND_THREADS_H_
