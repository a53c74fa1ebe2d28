// StepPrefetch prefetches the entries that a walk will reach, if entries follow each other in
// memory in the order of the walk.
//
// It prefetches either entire entries or only their beginnings: walks that read only keys and sizes
// are faster if the bytes that they pass over need not go through the caches.
//
// It prefetches about as much as steps use up, since a processor drops some of many prefetches at
// once.
#ifndef BUSHSTORE_UTIL_STEP_PREFETCH_H_
#define BUSHSTORE_UTIL_STEP_PREFETCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"
#include "util/prefetch.h"

namespace leveldb {

// A StepPrefetch belongs to one walk. It is not thread-safe. (All of it is inlined: a call would
// cost each step registers.)
class StepPrefetch {
 public:
  // The distance from the entry in bytes: a prefetched line arrives in the time in which the bytes
  // up to it are read.
  static constexpr uintptr_t kAhead = 6 * 1024;
  // The number of bytes between two decisions, so that steps over small entries do not prefetch one
  // by one.
  static constexpr uintptr_t kEvery = 512;
  // Until kAhead is reached, this multiple of the bytes passed is prefetched: there may be no next
  // step.
  static constexpr uintptr_t kHaste = 2;
  // A beginning is prefetched this many steps ahead, at the address where it is if all entries up
  // to there have one size.
  static constexpr ptrdiff_t kStepsAhead = 5;
  static constexpr ptrdiff_t kStepsBack = 4;
  // The bytes that are read of an entry with a short key before its value, and twice as much again
  // for the bytes between blocks and for the first entries of blocks, which share nothing of their
  // keys.
  static constexpr ptrdiff_t kBeginning = 96;

  // Begins a new walk.
  void Forget() { decided_at_ = prefetched_ = last_size_ = 0; }

  // Called after a step forward to the entry that ends at `end`, or a step backward to the entry
  // that begins at `begin`. Neither is null.
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

  // Called instead by walks that read only the beginnings of entries; `entry` is the one that the
  // step has reached. Short entries are so dense that it makes no difference.
  void OnNextBeginning(const Slice& entry) {
    decided_at_ = prefetched_ = AddressOf(entry.data() + entry.size());
    Prefetch(BeginningBehind(entry, last_size_), kBeginning);
    last_size_ = entry.size();
  }
  void OnPrevBeginning(const Slice& entry) {
    decided_at_ = prefetched_ = AddressOf(entry.data());
    Prefetch(BeginningBefore(entry), kBeginning);
  }

  // Return the addresses that these prefetch. Bytes between blocks move a beginning further on: in
  // a forward walk it still lies within kBeginning, in a backward walk up to a third of it. In a
  // forward walk, the shorter of the entry and the last one estimates the length of entries: the
  // first entry of a block is longer than others, and five times the difference would be too far.
  static const char* BeginningBehind(const Slice& entry, size_t last_size) {
    return entry.data() + kStepsAhead * static_cast<ptrdiff_t>(std::min(entry.size(), last_size));
  }
  static const char* BeginningBefore(const Slice& entry) {
    return entry.data() - kStepsBack * static_cast<ptrdiff_t>(entry.size()) - kBeginning / 3;
  }

  // Returns the address up to which the walk has prefetched everything, or at which it has last
  // prefetched a beginning; 0 if it has not prefetched.
  uintptr_t prefetched() const { return prefetched_; }

 private:
  static uintptr_t AddressOf(const char* p) { return reinterpret_cast<uintptr_t>(p); }

  // Returns how much of the distance to prefetched_ was prefetched: nothing if that was elsewhere.
  static uintptr_t Prefetched(uintptr_t distance) { return distance > kAhead ? 0 : distance; }

  // Returns how many bytes to prefetch next; 0 at the first step of a walk.
  uintptr_t NextToPrefetch(uintptr_t ahead, uintptr_t passed) const {
    if (decided_at_ == 0) return 0;
    return std::min(kAhead - ahead, kHaste * std::min(passed, kAhead));
  }

  uintptr_t decided_at_ = 0;  // the address of the last decision what to prefetch; 0: none
  uintptr_t prefetched_ = 0;
  size_t last_size_ = 0;  // of the last entry passed to OnNextBeginning
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_STEP_PREFETCH_H_
