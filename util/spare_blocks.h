// SpareBlocks keeps large blocks of memory for arenas, and prepares some in advance.
//
// Mapping a block and touching it for the first time costs about as much as filling it, and more in
// a virtual machine whose memory is not backed yet. So returned blocks are kept for the next
// arenas, up to 64 MiB of them; the system may reclaim their contents, and so their memory, when it
// runs short. While blocks are being taken, a background thread of Env::Default() touches the next
// two before they are needed. If none is ready yet, or in a forked child, Take maps a new one.
#ifndef BUSHSTORE_UTIL_SPARE_BLOCKS_H_
#define BUSHSTORE_UTIL_SPARE_BLOCKS_H_

#include <cstddef>
#include <vector>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// SpareBlocks is thread-safe. Take and Give never wait.
class SpareBlocks {
 public:
  static constexpr size_t kBlockBytes = 2 * 1024 * 1024;  // A huge page on x86-64.

  // Returns the instance of this process, which is never destroyed.
  static SpareBlocks& Get();

  SpareBlocks(const SpareBlocks&) = delete;
  SpareBlocks& operator=(const SpareBlocks&) = delete;

  // Returns a block of kBlockBytes, aligned to its size, of any content; null if there is no
  // memory.
  char* Take();

  // Gives a block from Take back to the spare blocks.
  void Give(char* block);

  // Returns the number of spare blocks.
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
