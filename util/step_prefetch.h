// StepPrefetch: asks for what steps over entries come to, where entries follow each other in memory
// as steps do.
//
// Either for all of it, or only for the beginnings of entries: steps that look at keys and sizes
// are faster where what they pass over need not come through the caches.
//
// About as much is asked for as steps use up, since of many lines at once a processor drops some.
#ifndef BUSHSTORE_UTIL_STEP_PREFETCH_H_
#define BUSHSTORE_UTIL_STEP_PREFETCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"
#include "util/prefetch.h"

namespace leveldb {

// Of one walk. Not thread-safe. (All of it is inlined: a call would cost each step registers.)
class StepPrefetch {
 public:
  // So far from the entry it comes in the time that what lies between is read in.
  static constexpr uintptr_t kAhead = 6 * 1024;
  // It is asked after so many bytes, so that steps over small entries do not ask one by one.
  static constexpr uintptr_t kEvery = 512;
  // Until kAhead is reached, for so many times what was passed: the next step may be none.
  static constexpr uintptr_t kHaste = 2;
  // A beginning is asked for so many steps before it is come to, where it is if all entries up to
  // there are of one size.
  static constexpr ptrdiff_t kStepsAhead = 5;
  static constexpr ptrdiff_t kStepsBack = 4;
  // What is read of an entry with a short key before its value, and twice as much again for what
  // stands between blocks and for first entries of blocks, which share nothing of their keys.
  static constexpr ptrdiff_t kBeginning = 96;

  // A walk begins.
  void Forget() { decided_at_ = prefetched_ = last_size_ = 0; }

  // A step forward has led to the entry that ends at `end`, or one backward to the one that begins
  // at `begin`. Neither is null.
  void OnNext(const char* end) {
    const uintptr_t at = AddressOf(end);
    if (at - decided_at_ < kEvery) return;
    const uintptr_t ahead = Prefetched(prefetched_ - at);
    const uintptr_t size = NextToPrefetch(ahead, at - decided_at_);
    decided_at_ = at;
    if (size == 0) return;
    prefetched_ = at + ahead + size;
    PrefetchNear(end + ahead, size);
  }
  void OnPrev(const char* begin) {
    const uintptr_t at = AddressOf(begin);
    if (decided_at_ - at < kEvery) return;
    const uintptr_t ahead = Prefetched(at - prefetched_);
    const uintptr_t size = NextToPrefetch(ahead, decided_at_ - at);
    decided_at_ = at;
    if (size == 0) return;
    prefetched_ = at - ahead - size;
    PrefetchNear(begin - ahead - size, size);
  }

  // The same for walks that read the beginnings of entries only, of which `entry` is the one that
  // the step has led to. Short ones lie so dense that it makes no difference.
  void OnNextBeginning(const Slice& entry) {
    decided_at_ = prefetched_ = AddressOf(entry.data() + entry.size());
    Prefetch(BeginningBehind(entry, last_size_), kBeginning);
    last_size_ = entry.size();
  }
  void OnPrevBeginning(const Slice& entry) {
    decided_at_ = prefetched_ = AddressOf(entry.data());
    Prefetch(BeginningBefore(entry), kBeginning);
  }

  // What these ask for. What stands between blocks moves a beginning further on: behind, it still
  // lies within kBeginning; before, as far as a third of that. A step behind, the shorter of the
  // entry and the last one tells how long entries are: five times what a first entry of a block is
  // longer than others would be too far.
  static const char* BeginningBehind(const Slice& entry, size_t last_size) {
    return entry.data() + kStepsAhead * static_cast<ptrdiff_t>(std::min(entry.size(), last_size));
  }
  static const char* BeginningBefore(const Slice& entry) {
    return entry.data() - kStepsBack * static_cast<ptrdiff_t>(entry.size()) - kBeginning / 3;
  }

  // The address up to which the walk has asked for all, or where it has last asked for a beginning;
  // 0: it has not asked.
  uintptr_t prefetched() const { return prefetched_; }

 private:
  static uintptr_t AddressOf(const char* p) { return reinterpret_cast<uintptr_t>(p); }

  // What was asked for of the distance to prefetched_: nothing if that was elsewhere.
  static uintptr_t Prefetched(uintptr_t distance) { return distance > kAhead ? 0 : distance; }

  // Nothing at the first step of a walk.
  uintptr_t NextToPrefetch(uintptr_t ahead, uintptr_t passed) const {
    if (decided_at_ == 0) return 0;
    return std::min(kAhead - ahead, kHaste * std::min(passed, kAhead));
  }

  uintptr_t decided_at_ = 0;  // the address at which it was last decided what to ask for; 0: none
  uintptr_t prefetched_ = 0;
  size_t last_size_ = 0;  // of the entry that OnNextBeginning was last told of
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_STEP_PREFETCH_H_
