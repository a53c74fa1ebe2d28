// AwaitedThread: one that does what others wait for, and gets the processor that they leave.
//
// A thread of low priority that is ready may be kept behind a busy one for tens of milliseconds
// while the processor beside it is idle, or runs only threads of low priority, too: schedulers
// (seen with Linux 6.18) look for such threads at intervals. One that waits for it knows better,
// and has it moved to its own processor. That needs no privilege.
#ifndef BUSHSTORE_PORT_AWAITED_THREAD_H_
#define BUSHSTORE_PORT_AWAITED_THREAD_H_

#include <sys/types.h>
#include <time.h>

#include <optional>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Safe for use from several threads.
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

  // Asks the system to move the awaited thread to the calling thread's processor, unless there is
  // none, it is running just now, or may not run there. True if the system was asked; a thread that
  // sleeps stays where it is, though.
  //
  // For a moment this narrows what the thread may run on. What it may run on afterwards is the
  // same; who changes that from elsewhere at this very moment may find it undone. Never waits for
  // the thread, but the system may wait for its processor, so better hold no lock.
  bool MoveHere() LOCKS_EXCLUDED(mutex_);

 private:
  struct Thread {
    pid_t id;
    clockid_t clock;  // of the processor time that it has had
  };

  static bool IsRunning(const Thread& thread);
  static bool MoveTo(int processor, const Thread& thread);

  Mutex mutex_;  // while it is held the thread does not end
  std::optional<Thread> thread_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_AWAITED_THREAD_H_
