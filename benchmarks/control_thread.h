// A thread that does nothing but watch the clock (--control_thread). What keeps it from doing so
// keeps every thread: the machine, its other guests, and more threads than cores. A stall of the
// store that is not longer than the control's longest pause is not known to be the store's, nor are
// as many stalls as the control has had pauses that were as long.
#ifndef BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_
#define BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace leveldb::bench {

// Runs from construction to Stop, and takes a core meanwhile.
class ControlThread {
 public:
  ControlThread() : thread_(&ControlThread::Run, this) {}
  ~ControlThread() { Stop(); }

  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;

  // The longest time between two looks at the clock, in microseconds. May be called again.
  double Stop();

  // The pause, in microseconds, that so many others were longer than: 0 for the longest. 0 if there
  // were no more, or if that is kKept or more. REQUIRES: Stop was called.
  double PauseBehind(size_t longer) const;

  static constexpr size_t kKept = 10000;

 private:
  void Run();

  std::atomic<bool> ended_{false};
  std::vector<double> pauses_micros_;  // the longest first; the thread's until it has ended
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_
