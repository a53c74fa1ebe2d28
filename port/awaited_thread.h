// AwaitedThread moves the thread that others wait for to the processor of a waiting thread.
//
// The scheduler may keep a runnable thread of low priority waiting for a busy processor for tens of
// milliseconds although another processor is idle or runs only threads of low priority: it looks
// for such threads at intervals (seen with Linux 6.18). A thread that is about to wait for it knows
// of it earlier, and has it moved to its own processor. That needs no privilege.
#ifndef BUSHSTORE_PORT_AWAITED_THREAD_H_
#define BUSHSTORE_PORT_AWAITED_THREAD_H_

#include <sys/types.h>
#include <time.h>

#include <optional>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// AwaitedThread is thread-safe.
class AwaitedThread {
 public:
  AwaitedThread() = default;
  AwaitedThread(const AwaitedThread&) = delete;
  AwaitedThread& operator=(const AwaitedThread&) = delete;

  // Makes the calling thread the awaited one until the end of the scope.
  class Scope {
   public:
    // Does not own `awaited`, which must outlive this object. REQUIRES: `awaited` has no thread
    // yet.
    explicit Scope(AwaitedThread* awaited);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    AwaitedThread* const awaited_;
  };

  // Asks the system to move the awaited thread to the calling thread's processor, unless there is
  // no awaited thread, it is running at the moment, or it may not run there. Returns true if the
  // system was asked; a sleeping thread is not moved even then.
  //
  // Narrows the thread's affinity mask for a moment and restores it. A change of the mask from
  // elsewhere at that moment may be undone. Never waits for the thread, but the system may wait for
  // its processor, so callers should hold no lock.
  bool MoveHere() LOCKS_EXCLUDED(mutex_);

 private:
  struct Thread {
    pid_t id;
    clockid_t clock;  // the clock of its processor time
  };

  static bool IsRunning(const Thread& thread);
  static bool MoveTo(int processor, const Thread& thread);

  Mutex mutex_;  // the thread does not end while it is held
  std::optional<Thread> thread_ GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_AWAITED_THREAD_H_
