// Mutex, its scoped guards and its condition variable, annotated for the thread-safety analysis.
#ifndef BUSHSTORE_PORT_MUTEX_H_
#define BUSHSTORE_PORT_MUTEX_H_

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "port/thread_annotations.h"

namespace leveldb {

// Mutex is held by at most one thread and is not recursive. Assertion builds record the holder.
class LOCKABLE Mutex {
 public:
  Mutex() = default;

  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() EXCLUSIVE_LOCK_FUNCTION() {
    mutex_.lock();
    SetHolder(std::this_thread::get_id());
  }

  void Unlock() UNLOCK_FUNCTION() {
    SetHolder(std::thread::id());
    mutex_.unlock();
  }

  // Acquires the mutex if it is free; returns whether it did.
  bool TryLock() EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    if (!mutex_.try_lock()) return false;
    SetHolder(std::this_thread::get_id());
    return true;
  }

  // Asserts that the calling thread is the holder.
  void AssertHeld() const ASSERT_EXCLUSIVE_LOCK() {
#ifndef NDEBUG
    assert(holder_.load(std::memory_order_relaxed) == std::this_thread::get_id());
#endif
  }

 private:
  friend class CondVar;

#ifndef NDEBUG
  void SetHolder(std::thread::id id) {
    holder_.store(id, std::memory_order_relaxed);
  }

  std::atomic<std::thread::id> holder_{};
#else
  void SetHolder(std::thread::id) {}
#endif
  std::mutex mutex_;
};

// MutexLock holds a mutex until the end of the scope.
class SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() UNLOCK_FUNCTION() { mutex_->Unlock(); }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// MutexUnlock is the reverse: releases a held mutex and acquires it again at the end of the scope.
// It is meant for I/O in the middle of a function that holds the mutex.
class SCOPED_LOCKABLE MutexUnlock {
 public:
  explicit MutexUnlock(Mutex* mutex) EXCLUSIVE_UNLOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_->Unlock();
  }
  // The analysis undoes what the constructor did, whether that acquired or released the mutex.
  ~MutexUnlock() UNLOCK_FUNCTION() { mutex_->Lock(); }

  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex* const mutex_;
};

// CondVar waits for a change of state that a mutex guards. All waits require the mutex to be held,
// release it while they sleep and hold it again when they return. They may return without a signal,
// so the condition must be tested in a loop.
class CondVar {
 public:
  explicit CondVar(Mutex* mutex) : mutex_(mutex) { assert(mutex != nullptr); }

  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  void Wait() {
    AdoptedLock lock(mutex_);
    changed_.wait(lock.lock);
  }

  // Waits no longer than timeout; returns false if that has passed without a signal.
  bool WaitFor(std::chrono::microseconds timeout) {
    AdoptedLock lock(mutex_);
    return changed_.wait_for(lock.lock, timeout) == std::cv_status::no_timeout;
  }

  // Wake one waiter, or all. The mutex may be held or not.
  void Signal() { changed_.notify_one(); }
  void SignalAll() { changed_.notify_all(); }

 private:
  // AdoptedLock lends the mutex, which is held, to a std::unique_lock.
  struct AdoptedLock {
    explicit AdoptedLock(Mutex* m) : mutex(m), lock(m->mutex_, std::adopt_lock) {
      mutex->SetHolder(std::thread::id());
    }
    ~AdoptedLock() {
      mutex->SetHolder(std::this_thread::get_id());
      lock.release();
    }

    Mutex* const mutex;
    std::unique_lock<std::mutex> lock;
  };

  Mutex* const mutex_;
  std::condition_variable changed_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_MUTEX_H_
