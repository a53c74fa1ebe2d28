// Writes whole cache lines to the medium: back from the cache, or around it. Each operation has
// several implementations, which are chosen by what the CPU supports.
#ifndef BUSHSTORE_PMEM_MEDIA_CACHE_LINES_H_
#define BUSHSTORE_PMEM_MEDIA_CACHE_LINES_H_

#include <cstddef>
#include <cstdint>

#include "port/cache_line.h"

namespace leveldb {

// How a modified line is written back; for each architecture, the best method is the last. kNone
// leaves the line in the cache: for memory that is only treated as persistent on a CPU that has no
// such instruction, and for persistent memory whose platform saves the caches on a power failure.
enum class FlushMethod { kNone, kClflush, kClflushopt, kClwb, kDcCvap, kDcCvadp };

// How whole lines are stored; the fastest method is the last. kPlain stores through the cache, and
// the lines are flushed afterwards; the others store around it.
enum class CopyMethod { kPlain, kSse2, kAvx, kAvx512 };

bool IsSupported(FlushMethod method);
bool IsSupported(CopyMethod method);

// Return the best method that this CPU supports. Under a sanitizer, BestCopyMethod returns kPlain,
// because the sanitizer does not see the other stores.
FlushMethod BestFlushMethod();
CopyMethod BestCopyMethod();

const char* NameOf(FlushMethod method);
const char* NameOf(CopyMethod method);

// Writes back `lines` cache lines from `first` on. REQUIRES: `first` is aligned to a cache line.
using FlushFunction = void (*)(const char* first, size_t lines);

// Stores `lines` cache lines at `to`. REQUIRES: `to` is aligned to a cache line. `from` need not
// be.
using CopyFunction = void (*)(char* to, const char* from, size_t lines);

// REQUIRES: IsSupported(method).
FlushFunction FlushFunctionOf(FlushMethod method);
CopyFunction CopyFunctionOf(CopyMethod method);

// Orders everything flushed or stored around the cache before everything after it.
inline void StoreFence() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#elif defined(__aarch64__)
  // A DMB would order the write-backs, but not wait until they are complete.
  asm volatile("dsb sy" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_CACHE_LINES_H_
