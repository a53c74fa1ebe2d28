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

// The time of one that runs advances between any two looks. That of one that sleeps does not, as
// that of one that is ready. Where its clock cannot be read it counts as running.
bool AwaitedThread::IsRunning(const Thread& thread) {
  timespec before;
  timespec after;
  if (clock_gettime(thread.clock, &before) != 0 || clock_gettime(thread.clock, &after) != 0) {
    return true;
  }
  return before.tv_sec != after.tv_sec || before.tv_nsec != after.tv_nsec;
}

// A thread that is ready is moved when what it may run on no longer has the place where it is.
//
// Then everything is allowed, of which the system takes what it gives the process: when that grows,
// the thread has more as well. Only where that is too much the thread had been confined by
// somebody, and is so again.
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
  if (!mutex_.TryLock()) return false;  // another one asks, or it begins or ends
  const bool is_moved =
      thread_.has_value() && !IsRunning(*thread_) && MoveTo(sched_getcpu(), *thread_);
  mutex_.Unlock();
  return is_moved;
}

}  // namespace leveldb
