#include "pmem/media/page_touch.h"

#include <sys/mman.h>

#include <cstdint>

#include "port/page_bytes.h"
#include "util/round.h"

namespace leveldb {

namespace {

constexpr uintptr_t kHugePageBytes = uintptr_t{2} << 20;

// Makes pages writable the slow way, by writing the bytes that they hold. The writes are atomic, so
// that no store is lost, and invisible to ThreadSanitizer, because plain stores of other threads do
// not conflict with them.
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
  // MADV_POPULATE_WRITE fills only the page tables. In a virtual machine, the host may have
  // unmapped the memory that they map, and the first access to each of its pages waits while the
  // host maps it again.
  if (madvise(first, bytes, MADV_POPULATE_WRITE) == 0) {
    return WriteEachPage(first, bytes, kHugePageBytes);
  }
#endif
  WriteEachPage(first, bytes, page_bytes);
}

}  // namespace leveldb
