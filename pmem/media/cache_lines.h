// Whole cache lines on their way to the medium: written back from the cache, or stored around it.
// One operation, several instructions, picked by what the CPU has.
#ifndef BUSHSTORE_PMEM_MEDIA_CACHE_LINES_H_
#define BUSHSTORE_PMEM_MEDIA_CACHE_LINES_H_

#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// How a line that was stored to is written back, for each processor best last. kNone leaves it in
// the cache: for memory that is only treated as persistent on a CPU that has no such instruction,
// and for persistent memory whose platform saves the caches on a power failure.
enum class FlushMethod { kNone, kClflush, kClflushopt, kClwb, kDcCvap, kDcCvadp };

// How whole lines are stored, fastest last: kPlain through the cache (and flushed after that), the
// others around it.
enum class CopyMethod { kPlain, kSse2, kAvx, kAvx512 };

bool IsSupported(FlushMethod method);
bool IsSupported(CopyMethod method);

// The last of each that this CPU has. Under a sanitizer kPlain, since the others are invisible to
// it.
FlushMethod BestFlushMethod();
CopyMethod BestCopyMethod();

const char* NameOf(FlushMethod method);
const char* NameOf(CopyMethod method);

// Writes back `lines` cache lines from `first`, which is aligned to one.
using FlushFunction = void (*)(const char* first, size_t lines);

// Stores `lines` cache lines at `to`, which is aligned to one. `from` need not be.
using CopyFunction = void (*)(char* to, const char* from, size_t lines);

// REQUIRES: IsSupported(method).
FlushFunction FlushFunctionOf(FlushMethod method);
CopyFunction CopyFunctionOf(CopyMethod method);

// Orders everything flushed or stored around the cache before everything after it.
inline void StoreFence() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#elif defined(__aarch64__)
  // A barrier of the DMB kind orders write-backs, but does not wait until they are complete.
  asm volatile("dsb sy" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_CACHE_LINES_H_
