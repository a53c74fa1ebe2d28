// Whether a scan should ask for values before it comes to them.
//
// Values that are long or lie apart from their keys are cache misses, one after the other, for a
// scan that reads them. Asking for those ahead takes most of that time away; but it moves every
// value through the caches, and so makes a scan slower that looks at keys and sizes only. What the
// caller does with the bytes it is shown can't be seen. It can be measured: stretches of the scan
// that ask ahead are timed against stretches that do not, the faster way is kept, and now and then
// the other is tried again. A branch predictor works like this, and like one it only ever costs or
// saves time.
//
// A stretch may reach over several seeks, whose own time does not count, and from one iterator into
// the next one of the database.
#ifndef BUSHSTORE_ITERATOR_READ_AHEAD_H_
#define BUSHSTORE_ITERATOR_READ_AHEAD_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// What the scans of a database have learned. Thread-safe: scans that run at the same time overwrite
// each other's findings, which are all about the same machine and, mostly, the same kind of scan.
class alignas(kApartBytes) ReadAheadHabit {
 public:
  ReadAheadHabit() = default;

  ReadAheadHabit(const ReadAheadHabit&) = delete;
  ReadAheadHabit& operator=(const ReadAheadHabit&) = delete;

 private:
  friend class ReadAhead;

  struct State {
    std::array<float, 2> step_nanos{};  // by whether values were asked for; 0: not known
    uint32_t stretches = 0;
    // About the stretch that runs:
    bool wanted = false;
    bool asked = false;  // whether a value was looked at
    uint16_t steps = 0;
    uint16_t timed_steps = 0;
    float nanos = 0;  // that those took
  };

  State Load() const;
  void Store(const State& state);

  std::array<std::atomic<float>, 2> step_nanos_{};
  std::atomic<uint32_t> stretches_{0};
  std::atomic<bool> wanted_{false};
  std::atomic<bool> asked_{false};
  std::atomic<uint16_t> steps_{0};
  std::atomic<uint16_t> timed_steps_{0};
  std::atomic<float> nanos_{0};
};

// One scan's view of it. Not thread-safe, like the iterator it belongs to.
class ReadAhead {
 public:
  using Clock = uint64_t (*)();  // nanoseconds, above 0, that never go back

  // After so many steps it is decided anew.
  static constexpr uint16_t kStretch = 64;
  // The first ones of a stretch are not timed: there the way of the one before still shows.
  static constexpr uint16_t kNotTimed = 16;
  // Every so many stretches the way that seems slower is tried, and of the first ones at each power
  // of two.
  static constexpr uint32_t kTrialEvery = 128;

  // From so many bytes on a value that lies beside its key is worth asking for by itself, since
  // most of its lines hold nothing else. Who shows such a one tells OnValue(), as with values that
  // lie elsewhere, and who asks ahead goes by wanted() for such ones.
  static constexpr size_t kLongValueBytes = 512;

  static uint64_t SteadyNanos();

  // `habit` is not owned and must outlive the scan.
  explicit ReadAhead(ReadAheadHabit* habit, Clock clock = &SteadyNanos);
  ~ReadAhead();

  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Whether values should be asked for ahead.
  bool wanted() const { return state_.wanted; }

  // The caller looks at a value. Unlike the others, threads may call it at once.
  void OnValue() { std::atomic_ref<bool>(state_.asked).store(true, std::memory_order_relaxed); }

  // The scan has moved one step.
  void OnStep() {
    state_.steps++;
    if (state_.steps < kNotTimed) return;
    if (state_.steps >= kStretch) {
      Decide();
    } else if (began_ == 0) {
      began_ = clock_();
      first_timed_ = state_.steps;
    }
  }

  // The time from here to the next OnStep() is not that of steps.
  void OnSeek() { StopTiming(); }

 private:
  void StopTiming() {
    if (began_ != 0) AddTime();
  }
  void AddTime();
  void Decide();

  ReadAheadHabit* const habit_;
  const Clock clock_;
  ReadAheadHabit::State state_;
  uint64_t began_ = 0;        // when the timing began that runs; 0: none does
  uint16_t first_timed_ = 0;  // the step it began after
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_READ_AHEAD_H_
