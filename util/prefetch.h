// Functions that prefetch: they tell the processor which bytes are wanted soon.
//
// Reads of one line after the other cost a memory latency each; lines that are prefetched together
// arrive in the time of one or two.
#ifndef BUSHSTORE_UTIL_PREFETCH_H_
#define BUSHSTORE_UTIL_PREFETCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// Returns the beginning of the cache line of `p`.
inline const char* PrefetchedLine(const char* p) {
  return p - reinterpret_cast<uintptr_t>(p) % kCacheLineBytes;
}

// Is a side effect for GCC. GCC does not treat a prefetch as one, and drops calls of a function
// that does nothing else.
inline void KeepPrefetch() {
  __asm__ volatile("");
}

// Prefetch the line of p, to read it or to write to it. Never fault, wherever p points.
inline void PrefetchLine(const void* p) {
  __builtin_prefetch(p);
  KeepPrefetch();
}
inline void PrefetchLineToWrite(const void* p) {
  __builtin_prefetch(p, 1);
  KeepPrefetch();
}

// Implements the functions below. `kLocality` is the argument of __builtin_prefetch.
template <int kLocality>
inline void PrefetchLines(const char* p, size_t n) {
  const char* const end = p + n;
  for (p = PrefetchedLine(p); p < end; p += kCacheLineBytes) __builtin_prefetch(p, 0, kLocality);
  KeepPrefetch();
}

// Prefetches the lines that hold the `n` bytes at p. Never faults.
inline void Prefetch(const char* p, size_t n) {
  PrefetchLines<3>(p, n);
}

// Prefetches those of the `size` bytes at p that are at most `slack` away from byte `at`: the
// wanted bytes are expected there. REQUIRES: at <= size.
inline void PrefetchAround(const char* p, size_t size, size_t at, size_t slack) {
  const size_t begin = at - std::min(at, slack);
  Prefetch(p + begin, std::min(size - at, slack) + at - begin);
}

// Equals Prefetch for lines that are used once: they should not evict anything from the outer
// levels of the cache, and it depends on the processor whether they are found there later.
inline void PrefetchForOnce(const char* p, size_t n) {
  PrefetchLines<0>(p, n);
}

// Equals Prefetch, but only up to the second level of the cache: for more than a few lines. A
// processor has few buffers for lines on their way to the first level; if a prefetch takes more,
// the processor's own loads wait for them.
inline void PrefetchNear(const char* p, size_t n) {
  PrefetchLines<2>(p, n);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_PREFETCH_H_
