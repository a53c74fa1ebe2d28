#include "pmem/media/page_touch.h"

#include <sys/mman.h>

#include <cstdint>

#include "port/page_bytes.h"
#include "util/round.h"

namespace leveldb {

namespace {

constexpr uintptr_t kHugePageBytes = uintptr_t{2} << 20;

// Makes pages writable the slow way: a write of what is there. Atomic, so that no store is
// lost; invisible to ThreadSanitizer, since others' plain stores are no danger to it.
__attribute__((no_sanitize("thread"))) void WriteEachPage(char* begin, size_t bytes,
                                                          size_t page_bytes) {
  for (size_t i = 0; i < bytes; i += page_bytes) {
    __atomic_fetch_or(begin + i, 0, __ATOMIC_RELAXED);
  }
}

}  // namespace

void TouchPages(char* begin, size_t n) {
  const uint64_t page_bytes = PageBytes();
  const uintptr_t into_page = reinterpret_cast<uintptr_t>(begin) % page_bytes;
  char* const first = begin - into_page;
  const size_t bytes = RoundUp(into_page + n, page_bytes);
#if defined(MADV_POPULATE_WRITE)
  // That asks the page tables only. Where they are a virtual machine's, the host may have unmapped
  // what they map, and the first access to each of its pages waits while it maps that again.
  if (madvise(first, bytes, MADV_POPULATE_WRITE) == 0) {
    return WriteEachPage(first, bytes, kHugePageBytes);
  }
#endif
  WriteEachPage(first, bytes, page_bytes);
}

}  // namespace leveldb
