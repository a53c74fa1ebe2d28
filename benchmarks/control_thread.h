// ControlThread is a thread that only watches the clock (--control_thread). Its pauses come from
// what delays every thread: the machine, its other guests, and more threads than cores. A stall of
// the store that is no longer than the control's longest pause may not be caused by the store;
// neither may as many stalls as the control has had pauses of that length.
#ifndef BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_
#define BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace leveldb::bench {

// ControlThread runs from construction to Stop, and occupies a core meanwhile.
class ControlThread {
 public:
  ControlThread() : thread_(&ControlThread::Run, this) {}
  ~ControlThread() { Stop(); }

  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;

  // Stops the thread. Returns the longest time between two reads of the clock, in microseconds. May
  // be called again.
  double Stop();

  // Returns the pause, in microseconds, that exactly `longer` others exceeded: the longest for 0.
  // Returns 0 if there were no more pauses, or if `longer` is kKept or more. REQUIRES: Stop was
  // called.
  double PauseBehind(size_t longer) const;

  static constexpr size_t kKept = 10000;

 private:
  void Run();

  std::atomic<bool> ended_{false};
  std::vector<double> pauses_micros_;  // the longest first; owned by the thread until it has ended
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_
