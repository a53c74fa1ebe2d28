// Prefetching: telling the processor which bytes are wanted soon.
//
// What is read one line after the other costs a memory latency for each; asked for together, the
// lines come in the time of one or two.
#ifndef BUSHSTORE_UTIL_PREFETCH_H_
#define BUSHSTORE_UTIL_PREFETCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// `p` at the beginning of its cache line.
inline const char* PrefetchedLine(const char* p) {
  return p - reinterpret_cast<uintptr_t>(p) % kCacheLineBytes;
}

// What GCC takes for an effect. To it a prefetch is none, and calls of a function that does nothing
// else are dropped.
inline void KeepPrefetch() {
  __asm__ volatile("");
}

// Asks for the line of p, to read it or to write to it. Never faults, wherever p points.
inline void PrefetchLine(const void* p) {
  __builtin_prefetch(p);
  KeepPrefetch();
}
inline void PrefetchLineToWrite(const void* p) {
  __builtin_prefetch(p, 1);
  KeepPrefetch();
}

// What the functions below share. `kLocality` is what __builtin_prefetch takes for it.
template <int kLocality>
inline void PrefetchLines(const char* p, size_t n) {
  const char* const end = p + n;
  for (p = PrefetchedLine(p); p < end; p += kCacheLineBytes) __builtin_prefetch(p, 0, kLocality);
  KeepPrefetch();
}

// Asks for the lines that hold the `n` bytes at p. Never faults.
inline void Prefetch(const char* p, size_t n) {
  PrefetchLines<3>(p, n);
}

// Of the `size` bytes at p, asks for those that are at most `slack` away from byte `at` of them:
// what is wanted is guessed to be there. REQUIRES: at <= size.
inline void PrefetchAround(const char* p, size_t size, size_t at, size_t slack) {
  const size_t begin = at - std::min(at, slack);
  Prefetch(p + begin, std::min(size - at, slack) + at - begin);
}

// The same as Prefetch for lines that are used once: they are to push nothing out of the outer
// levels of the cache, and it depends on the processor whether they are found there later.
inline void PrefetchForOnce(const char* p, size_t n) {
  PrefetchLines<0>(p, n);
}

// The same as Prefetch, but only as far as the second level of the cache: for more than a few
// lines. A processor has few places for lines on their way to the first level; with more than those
// asked for, its own loads wait for them.
inline void PrefetchNear(const char* p, size_t n) {
  PrefetchLines<2>(p, n);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_PREFETCH_H_
