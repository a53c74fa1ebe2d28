#include "pmem/media/steady_mmap.h"

#include <sys/mman.h>

namespace leveldb {

void* SteadyMmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  constexpr int kWanted = MAP_SHARED_VALIDATE | MAP_FIXED | MAP_SYNC;
  if ((flags & kWanted) == kWanted) {
    void* const trial = mmap(nullptr, length, protection, flags & ~MAP_FIXED, fd, offset);
    if (trial == MAP_FAILED) return MAP_FAILED;
    munmap(trial, length);
  }
  return mmap(address, length, protection, flags, fd, offset);
}

}  // namespace leveldb
