// Waiting for something that another thread is about to do.
#ifndef BUSHSTORE_PORT_SPIN_WAIT_H_
#define BUSHSTORE_PORT_SPIN_WAIT_H_

#include <thread>

#include "port/cpu.h"

namespace leveldb {

// for (SpinWait wait; !done();) wait.Once();
class SpinWait {
 public:
  // Lets a moment pass; after many of them, other threads run, since what is waited for may need
  // this very processor.
  void Once() {
    if (!IsLong()) {
      spins_++;
      CpuRelax();
    } else {
      std::this_thread::yield();
    }
  }

  // Whether other threads are let run from now on.
  bool IsLong() const { return spins_ == kSpins; }

 private:
  static constexpr int kSpins = 200;

  int spins_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_SPIN_WAIT_H_
