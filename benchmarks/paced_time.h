// The time of operations while the processor goes at its best pace (--pace).
//
// A core of a shared machine can go at its whole pace, at a half or at a third of it, from one
// millisecond to the next. That slows down what computes more than what waits for memory, so that
// even ratios to what memory takes are others from minute to minute. Here a run is cut into
// stretches of half a millisecond, with a fixed piece of arithmetic before and behind each. Those
// count in which both took hardly longer than the quickest of the run.
//
// A stretch in which operations stood still (a rest of a writer, a slice of the scheduler) is long,
// and its two ends tell little about what is between them. What such stretches take more than
// others is laid on all operations, at whatever pace they came.
#ifndef BUSHSTORE_BENCHMARKS_PACED_TIME_H_
#define BUSHSTORE_BENCHMARKS_PACED_TIME_H_

#include <chrono>
#include <cstdint>
#include <vector>

namespace leveldb::bench {

// For one thread; merged when it has stopped.
class PacedTime {
 public:
  // What a stretch was, and its arithmetic: of the two pieces the slower one.
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
    double micros_per_operation = 0;  // in stretches that had it, or nearly
    double share = 0;                 // of all operations, those in such stretches
  };
  Result Sum() const;  // all 0 if no stretch has ended

  // Seconds that arithmetic has taken, of this thread alone.
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
