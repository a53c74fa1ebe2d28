// ReadAhead: decides whether a scan should prefetch values before it reaches them.
//
// Values that are long or stored apart from their keys are cache misses, one after the other, for a
// scan that reads them. Prefetching them saves most of that time; but it moves every value through
// the caches, and so slows down a scan that reads only keys and sizes. What the caller does with
// the bytes that it gets can't be observed, but it can be measured: stretches of the scan that
// prefetch are timed against stretches that do not, the faster mode is kept, and from time to time
// the other one is tried again. Like a branch predictor, it affects only the time, never the
// result.
//
// A stretch may include several seeks, whose own time does not count, and may continue from one
// iterator in the next one of the database.
#ifndef BUSHSTORE_ITERATOR_READ_AHEAD_H_
#define BUSHSTORE_ITERATOR_READ_AHEAD_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// What the scans of a database have learned. Thread-safe: concurrent scans overwrite each other's
// findings, which are all about the same machine and, mostly, the same kind of scan.
class alignas(kApartBytes) ReadAheadHabit {
 public:
  ReadAheadHabit() = default;

  ReadAheadHabit(const ReadAheadHabit&) = delete;
  ReadAheadHabit& operator=(const ReadAheadHabit&) = delete;

 private:
  friend class ReadAhead;

  struct State {
    std::array<float, 2> step_nanos{};  // without and with prefetching; 0: not known
    uint32_t stretches = 0;
    // About the current stretch:
    bool wanted = false;
    bool asked = false;  // whether a value was read
    uint16_t steps = 0;
    uint16_t timed_steps = 0;
    float nanos = 0;  // taken by the timed steps
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

// One scan's view of the habit. Not thread-safe, like the iterator it belongs to.
class ReadAhead {
 public:
  using Clock = uint64_t (*)();  // nanoseconds, above 0, that never decrease

  // The number of steps after which the mode is decided again.
  static constexpr uint16_t kStretch = 64;
  // The first steps of a stretch that are not timed: the mode of the stretch before still affects
  // them.
  static constexpr uint16_t kNotTimed = 16;
  // The mode that seems slower is tried every kTrialEvery stretches and, among the first of these,
  // at each power of two.
  static constexpr uint32_t kTrialEvery = 128;

  // The size from which on a value that is stored next to its key is prefetched separately, since
  // most of its cache lines hold nothing else. Iterators call OnValue() for such values as for
  // values that are stored elsewhere, and prefetch them only if wanted().
  static constexpr size_t kLongValueBytes = 512;

  static uint64_t SteadyNanos();

  // Does not own `habit`, which must outlive the scan.
  explicit ReadAhead(ReadAheadHabit* habit, Clock clock = &SteadyNanos);
  ~ReadAhead();

  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Returns whether values should be prefetched.
  bool wanted() const { return state_.wanted; }

  // Must be called when the caller reads a value. Unlike the other functions, safe to call
  // concurrently.
  void OnValue() { std::atomic_ref<bool>(state_.asked).store(true, std::memory_order_relaxed); }

  // Must be called after each step of the scan.
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

  // Must be called before a seek, so that the time until the next OnStep() does not count.
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
  uint64_t began_ = 0;        // when the current timing began; 0: not timing
  uint16_t first_timed_ = 0;  // the step after which it began
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_READ_AHEAD_H_
