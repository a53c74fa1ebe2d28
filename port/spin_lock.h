// SpinLock is a lock that is held for a few instructions only: waiting threads do not sleep.
#ifndef BUSHSTORE_PORT_SPIN_LOCK_H_
#define BUSHSTORE_PORT_SPIN_LOCK_H_

#include <atomic>

#include "port/spin_wait.h"
#include "port/thread_annotations.h"

namespace leveldb {

class LOCKABLE SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void Lock() EXCLUSIVE_LOCK_FUNCTION() {
    SpinWait wait;
    while (locked_.exchange(true, std::memory_order_acquire)) {
      do {
        wait.Once();
      } while (locked_.load(std::memory_order_relaxed));
    }
  }

  void Unlock() UNLOCK_FUNCTION() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

// SpinLockHolder holds a spin lock until the end of the scope.
class SCOPED_LOCKABLE SpinLockHolder {
 public:
  explicit SpinLockHolder(SpinLock* lock) EXCLUSIVE_LOCK_FUNCTION(lock) : lock_(lock) {
    lock_->Lock();
  }
  ~SpinLockHolder() UNLOCK_FUNCTION() { lock_->Unlock(); }
  SpinLockHolder(const SpinLockHolder&) = delete;
  SpinLockHolder& operator=(const SpinLockHolder&) = delete;

 private:
  SpinLock* const lock_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_SPIN_LOCK_H_
