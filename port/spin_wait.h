// SpinWait waits in a loop for something that another thread is about to do.
#ifndef BUSHSTORE_PORT_SPIN_WAIT_H_
#define BUSHSTORE_PORT_SPIN_WAIT_H_

#include <thread>

#include "port/cpu.h"

namespace leveldb {

// Usage: for (SpinWait wait; !done();) wait.Once();
class SpinWait {
 public:
  // Pauses for a moment; after many pauses, yields to other threads, since the awaited thread may
  // need this very processor.
  void Once() {
    if (!IsLong()) {
      spins_++;
      CpuRelax();
    } else {
      std::this_thread::yield();
    }
  }

  // Returns whether Once yields from now on.
  bool IsLong() const { return spins_ == kSpins; }

 private:
  static constexpr int kSpins = 200;

  int spins_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_SPIN_WAIT_H_
