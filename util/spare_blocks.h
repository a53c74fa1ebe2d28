// Memory for arenas: large blocks, kept when they are given back, and made ready ahead.
//
// Mapping a block and touching it for the first time costs about as much as filling it, and more in
// a virtual machine that has no memory behind it yet. So blocks are kept for the next arenas, up to
// 64 MiB of them; the system may take their contents, and so their memory, when it runs short. And
// where blocks are being taken, a background thread of Env::Default() touches the next two before
// they are asked for. A caller that asks earlier, or in a forked child, gets a new one.
#ifndef BUSHSTORE_UTIL_SPARE_BLOCKS_H_
#define BUSHSTORE_UTIL_SPARE_BLOCKS_H_

#include <cstddef>
#include <vector>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Thread-safe. Take and Give never wait.
class SpareBlocks {
 public:
  static constexpr size_t kBlockBytes = 2 * 1024 * 1024;  // A huge page on x86-64.

  // Those of this process. Never destroyed.
  static SpareBlocks& Get();

  SpareBlocks(const SpareBlocks&) = delete;
  SpareBlocks& operator=(const SpareBlocks&) = delete;

  // A block of kBlockBytes, aligned to its size, of any content. Null when there is no memory.
  char* Take();

  // Gives back what Take returned.
  void Give(char* block);

  // The number of blocks that are there to be taken.
  size_t Count() const;

 private:
  static constexpr size_t kMostBlocks = 32;
  static constexpr size_t kBlocksAhead = 2;

  SpareBlocks();

  static void MakeReady(void* spare_blocks);

  mutable Mutex mutex_;
  std::vector<char*> blocks_ GUARDED_BY(mutex_);
  bool is_making_ready_ GUARDED_BY(mutex_) = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_SPARE_BLOCKS_H_
