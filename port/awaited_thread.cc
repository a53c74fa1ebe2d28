#include "port/awaited_thread.h"

#include <cassert>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

namespace leveldb {

#if defined(__linux__)

AwaitedThread::Scope::Scope(AwaitedThread* awaited) : awaited_(awaited) {
  Thread self;
  self.id = gettid();
  if (pthread_getcpuclockid(pthread_self(), &self.clock) != 0) return;
  MutexLock lock(&awaited->mutex_);
  assert(!awaited->thread_.has_value());
  awaited->thread_ = self;
}

AwaitedThread::Scope::~Scope() {
  MutexLock lock(&awaited_->mutex_);
  awaited_->thread_.reset();
}

// The time of one that runs advances between any two looks. It is not known if it is not.
bool AwaitedThread::IsRunning(const Thread& thread) {
  timespec before;
  timespec after;
  if (clock_gettime(thread.clock, &before) != 0 || clock_gettime(thread.clock, &after) != 0) {
    return true;
  }
  return before.tv_sec != after.tv_sec || before.tv_nsec != after.tv_nsec;
}

// A thread that is ready is moved when what it may run on no longer has the place where it is.
bool AwaitedThread::MoveHere() {
  if (!mutex_.TryLock()) return false;  // it begins or ends: it has a processor
  bool is_moved = false;
  cpu_set_t allowed;
  cpu_set_t here;
  CPU_ZERO(&here);
  const int processor = sched_getcpu();
  if (thread_.has_value() && !IsRunning(*thread_) && processor >= 0 && processor < CPU_SETSIZE &&
      sched_getaffinity(thread_->id, sizeof(allowed), &allowed) == 0 &&
      CPU_ISSET(static_cast<unsigned>(processor), &allowed)) {
    CPU_SET(static_cast<unsigned>(processor), &here);
    is_moved = sched_setaffinity(thread_->id, sizeof(here), &here) == 0;
    if (is_moved) sched_setaffinity(thread_->id, sizeof(allowed), &allowed);
  }
  mutex_.Unlock();
  return is_moved;
}

#else

AwaitedThread::Scope::Scope(AwaitedThread* awaited) : awaited_(awaited) {}

AwaitedThread::Scope::~Scope() = default;

bool AwaitedThread::MoveHere() {
  return false;
}

#endif

}  // namespace leveldb
