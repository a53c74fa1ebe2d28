#include "util/background_threads.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace leveldb {

namespace {

struct ThreadStart {
  void (*function)(void* arg);
  void* arg;
};

extern "C" void* BushstoreThreadMain(void* arg) {
  ThreadStart* const given = static_cast<ThreadStart*>(arg);
  const ThreadStart start = *given;
  delete given;
  start.function(start.arg);
  return nullptr;
}

// Lowers the priority of this thread below that of threads that serve callers. The nice value is
// relative to the process's first thread, because this one may have been made by a thread whose
// priority is lowered already.
void StepBack() {
#ifdef __linux__  // elsewhere the call applies to the whole process
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
  if (nice == -1 && errno != 0) return;
  setpriority(PRIO_PROCESS, 0, std::min(nice + BackgroundThreads::kNiceness, 19));
#endif
}

}  // namespace

bool StartDetachedThread(void (*function)(void* arg), void* arg) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  ThreadStart* const start = new ThreadStart{function, arg};
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, &BushstoreThreadMain, start) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) delete start;
  return started;
}

BackgroundThreads::BackgroundThreads(int limit) : limit_(limit), work_came_(&mutex_) {
  assert(limit > 0);
}

void BackgroundThreads::Schedule(void (*function)(void* arg), void* arg) {
  MutexLock lock(&mutex_);
  queue_.push_back(Work{function, arg});
  const bool must_wait = queue_.size() > static_cast<size_t>(idle_threads_);
  if (must_wait && threads_ < limit_) {
    const auto serve = [](void* self) { static_cast<BackgroundThreads*>(self)->ServeForever(); };
    if (StartDetachedThread(serve, this)) {
      threads_++;
    } else if (threads_ == 0) {
      // Work that never runs would hang its database without a message.
      fprintf(stderr, "leveldb: cannot start a background thread\n");
      abort();
    }
  }
  work_came_.Signal();
}

void BackgroundThreads::ServeForever() {
  StepBack();
  mutex_.Lock();
  while (true) {
    while (queue_.empty()) {
      idle_threads_++;
      work_came_.Wait();
      idle_threads_--;
    }
    const Work work = queue_.front();
    queue_.pop_front();
    mutex_.Unlock();
    work.function(work.arg);
    mutex_.Lock();
  }
}

}  // namespace leveldb
