#include "port/awaited_thread.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <cassert>
#include <cstring>

namespace leveldb {

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

// Returns whether the thread is running. The processor time of a running thread advances between
// any two reads; that of a sleeping or a ready thread does not. A thread whose clock cannot be read
// counts as running.
bool AwaitedThread::IsRunning(const Thread& thread) {
  timespec before;
  timespec after;
  if (clock_gettime(thread.clock, &before) != 0 || clock_gettime(thread.clock, &after) != 0) {
    return true;
  }
  return before.tv_sec != after.tv_sec || before.tv_nsec != after.tv_nsec;
}

// Moves the thread: the system moves a ready thread when its affinity mask no longer has the
// processor where it is.
//
// Then the mask is set to all processors, of which the system takes those that the process may use:
// if these grow in number, the thread gets them as well. If the result differs from the former
// mask, the thread had been confined, and the former mask is restored.
bool AwaitedThread::MoveTo(int processor, const Thread& thread) {
  cpu_set_t allowed;
  if (processor < 0 || processor >= CPU_SETSIZE ||
      sched_getaffinity(thread.id, sizeof(allowed), &allowed) != 0 ||
      !CPU_ISSET(static_cast<unsigned>(processor), &allowed)) {
    return false;
  }
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  CPU_SET(static_cast<unsigned>(processor), &wanted);
  if (sched_setaffinity(thread.id, sizeof(wanted), &wanted) != 0) return false;
  memset(&wanted, 0xff, sizeof(wanted));
  if (sched_setaffinity(thread.id, sizeof(wanted), &wanted) != 0 ||
      sched_getaffinity(thread.id, sizeof(wanted), &wanted) != 0 || !CPU_EQUAL(&wanted, &allowed)) {
    sched_setaffinity(thread.id, sizeof(allowed), &allowed);
  }
  return true;
}

bool AwaitedThread::MoveHere() {
  if (!mutex_.TryLock()) return false;  // another thread moves it, or it begins or ends
  const bool is_moved =
      thread_.has_value() && !IsRunning(*thread_) && MoveTo(sched_getcpu(), *thread_);
  mutex_.Unlock();
  return is_moved;
}

}  // namespace leveldb
