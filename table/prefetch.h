// Prefetching: telling the processor which bytes are wanted soon.
//
// Blocks of large tables are rarely in the processor's cache. Read one line after the other, each
// costs a memory latency; asked for together, they come in the time of one or two.
#ifndef BUSHSTORE_TABLE_PREFETCH_H_
#define BUSHSTORE_TABLE_PREFETCH_H_

#include <algorithm>
#include <cstddef>

namespace leveldb {

// Asks for the `n` bytes at p, or the first `limit` of them. Never faults.
inline void Prefetch(const char* p, size_t n, size_t limit) {
  constexpr size_t kCacheLine = 64;
  const char* const end = p + std::min(n, limit);
  for (; p < end; p += kCacheLine) __builtin_prefetch(p);
}

// The same, but only as far as the second level of the cache: for whole blocks. A processor has few
// places for lines on their way to the first level; with more than those asked for, its own loads
// wait for them.
inline void PrefetchNear(const char* p, size_t n, size_t limit) {
  constexpr size_t kCacheLine = 64;
  const char* const end = p + std::min(n, limit);
  for (; p < end; p += kCacheLine) __builtin_prefetch(p, 0, 2);
}

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_PREFETCH_H_
