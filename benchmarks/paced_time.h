// PacedTime is the time of operations while the processor runs at its full speed (--pace).
//
// A core of a shared machine may run at full speed, or at a half or a third of it, from one
// millisecond to the next. That slows down computation more than waiting for memory, so that even
// ratios to memory times change from minute to minute. PacedTime divides a run into stretches of
// half a millisecond, with a fixed piece of arithmetic before and after each. It counts the
// stretches in which both pieces took hardly longer than the quickest of the run.
//
// A stretch in which operations stood still (a delay of a writer, a slice of the scheduler) is
// long, and its two ends say little about the time between them. The extra time of such stretches
// is divided among all operations, at whatever speed they ran.
#ifndef BUSHSTORE_BENCHMARKS_PACED_TIME_H_
#define BUSHSTORE_BENCHMARKS_PACED_TIME_H_

#include <chrono>
#include <cstdint>
#include <vector>

namespace leveldb::bench {

// PacedTime is used by one thread, and merged when the thread has stopped.
class PacedTime {
 public:
  // A stretch, and its arithmetic: the slower one of the two pieces.
  struct Stretch {
    uint64_t operations;
    double nanos;
    double pace_nanos;
  };

  void Start();

  // Counts operations that are done. Ends a stretch now and then, which takes some microseconds.
  void Add(uint64_t count) {
    operations_ += count;
    if (operations_ >= operations_wanted_) EndStretch();
  }

  void Add(const Stretch& stretch) { stretches_.push_back(stretch); }
  void Merge(const PacedTime& other);

  struct Result {
    double pace_nanos = 0;            // of the quickest arithmetic: compares runs
    double micros_per_operation = 0;  // in stretches at that speed, or nearly
    double share = 0;                 // the share of all operations in such stretches
  };
  Result Sum() const;  // all 0 if no stretch has ended

  // Returns the seconds that arithmetic has taken in this thread only.
  double arithmetic_seconds() const { return arithmetic_nanos_ / 1e9; }

 private:
  using Clock = std::chrono::steady_clock;

  double TakePace();
  void BeginStretch();
  void EndStretch();

  std::vector<Stretch> stretches_;
  double pace_before_ = 0;
  double arithmetic_nanos_ = 0;
  Clock::time_point began_;
  uint64_t operations_ = 0;  // of this stretch
  uint64_t operations_wanted_ = 1;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PACED_TIME_H_
