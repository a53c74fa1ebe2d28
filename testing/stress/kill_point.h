// KillPoint: the moment at which a process kills itself with SIGKILL.

#ifndef BUSHSTORE_TESTING_STRESS_KILL_POINT_H_
#define BUSHSTORE_TESTING_STRESS_KILL_POINT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "pmem/media/persist.h"

namespace leveldb {
namespace testkit {

// The events that are counted until the kill.
enum class KillBy : uint64_t {
  kStep,     // steps of operations: around each call of the store
  kFile,     // calls of the file system
  kPersist,  // copies, flushes, fences and syncs of the pool
  kTime,     // microseconds
};

// Thread-safe.
class KillPoint {
 public:
  // Starts counting events of the kind `by`; the process is killed at the `at`-th.
  void Arm(KillBy by, uint64_t at);
  // Counts one event.
  void Count(KillBy by) {
    if (armed_ && by == by_ && left_.fetch_sub(1) == 1) Kill();
  }
  // Prevents a kill while the lock is held.
  std::unique_lock<std::mutex> Hold() { return std::unique_lock<std::mutex>(mutex_); }
  [[noreturn]] void Kill();

  // Returns a factory of persist seams that count.
  PersistFactory Factory();

 private:
  bool armed_ = false;
  KillBy by_ = KillBy::kStep;
  std::atomic<uint64_t> left_{0};
  std::mutex mutex_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_KILL_POINT_H_
