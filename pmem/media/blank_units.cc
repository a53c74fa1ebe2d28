#include "pmem/media/blank_units.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "port/page_bytes.h"
#include "util/posix_io.h"

namespace leveldb {

Status BlankInUnits(char* base, uint64_t end, uint64_t unit,
                    const std::vector<ByteRange>& bad_ranges) {
  for (uint64_t begin = 0; begin < end; begin += unit) {
    const uint64_t bytes = std::min(unit, end - begin);
    if (!Overlaps(bad_ranges, begin, bytes)) continue;
    void* const copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED) return PosixError("memory in place of a pool's bad blocks", errno);
    for (uint64_t at = 0; at < bytes; at += PageBytes()) {
      if (Overlaps(bad_ranges, begin + at, PageBytes())) continue;
      memcpy(static_cast<char*>(copy) + at, base + begin + at, std::min(PageBytes(), bytes - at));
    }
    if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base + begin) == MAP_FAILED) {
      const int error = errno;
      munmap(copy, bytes);
      return PosixError("memory in place of a pool's bad blocks", error);
    }
  }
  return Status::OK();
}

}  // namespace leveldb
