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

// What is counted until then.
enum class KillBy : uint64_t {
  kStep,     // steps of operations: around each call of the store
  kFile,     // calls of the file system
  kPersist,  // copies, flushes, fences and syncs of the pool
  kTime,     // microseconds
};

// Thread-safe.
class KillPoint {
 public:
  // From now on.
  void Arm(KillBy by, uint64_t at);
  // One of these has come.
  void Count(KillBy by) {
    if (armed_ && by == by_ && left_.fetch_sub(1) == 1) Kill();
  }
  // No kill while the lock is held.
  std::unique_lock<std::mutex> Hold() { return std::unique_lock<std::mutex>(mutex_); }
  [[noreturn]] void Kill();

  // A persist seam that counts.
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
