// AwaitedThread: one that does what others wait for, and gets the processor that they leave.
//
// A thread of low priority that is ready may be kept behind a busy one for tens of milliseconds
// while the processor beside it is idle, or has only others like it: schedulers (seen with Linux
// 6.18) look for such threads at intervals. One that begins to wait for it knows better, and takes
// it to its own processor. That needs no privilege.
#ifndef BUSHSTORE_PORT_AWAITED_THREAD_H_
#define BUSHSTORE_PORT_AWAITED_THREAD_H_

#include <optional>

#include "port/mutex.h"
#include "port/thread_annotations.h"

#if defined(__linux__)
#include <sys/types.h>
#include <time.h>
#endif

namespace leveldb {

// Safe for use from several threads. Where there is no such thing as moving a thread it does
// nothing.
class AwaitedThread {
 public:
  AwaitedThread() = default;
  AwaitedThread(const AwaitedThread&) = delete;
  AwaitedThread& operator=(const AwaitedThread&) = delete;

  // Makes the calling thread the one that is awaited, to the end of the scope.
  class Scope {
   public:
    // `awaited` is not owned and must outlive this object. REQUIRES: it is no thread yet.
    explicit Scope(AwaitedThread* awaited);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    AwaitedThread* const awaited_;
  };

  // Moves the awaited thread to the calling thread's processor, unless there is none, it is running
  // already, or may not run there. It may go anywhere afterwards as before, and what it may run on
  // is the same; another one that changes that at this very moment may find it undone. Never waits
  // for the thread. True if it was moved, or made ready to be.
  bool MoveHere() LOCKS_EXCLUDED(mutex_);

 private:
#if defined(__linux__)
  struct Thread {
    pid_t id;
    clockid_t clock;  // of the processor time that it has had
  };

  static bool IsRunning(const Thread& thread);

  Mutex mutex_;  // while it is held the thread does not end
  std::optional<Thread> thread_ GUARDED_BY(mutex_);
#endif
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_AWAITED_THREAD_H_
