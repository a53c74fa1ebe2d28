// A thread that does nothing but watch the clock (--control_thread). What keeps it from doing so
// keeps every thread: the machine, its other guests, and more threads than cores. A stall of the
// store that is not longer than the control's longest pause is not known to be the store's.
#ifndef BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_
#define BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_

#include <atomic>
#include <thread>

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

 private:
  void Run();

  std::atomic<bool> ended_{false};
  double longest_pause_micros_ = 0;  // the thread's until it has ended
  std::thread thread_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_CONTROL_THREAD_H_
