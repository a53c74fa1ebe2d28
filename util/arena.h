// Arena allocates memory for many small objects that are all freed together.
//
// Allocation moves a pointer inside the current block. Blocks grow with the memory in use, from 4
// KiB to 64 KiB, and have 2 MiB from then on, so a small arena stays small and a large one takes
// few system calls. Blocks of the largest size are mapped, aligned and offered to the system as
// huge pages, because structures that are walked at random (the memtable) spend much of their time
// in address translation. Requests larger than a quarter of a block get a block of their own. The
// largest blocks are kept for later arenas, and prepared in advance (spare_blocks).
#ifndef BUSHSTORE_UTIL_ARENA_H_
#define BUSHSTORE_UTIL_ARENA_H_

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "port/cache_line.h"
#include "util/prefetch.h"

namespace leveldb {

// Thread-safety: one thread at a time may allocate; MemoryUsage may be called from any thread.
class Arena {
 public:
  Arena() = default;

  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Frees everything allocated.
  ~Arena();

  // The alignment of AllocateAligned.
  static constexpr size_t kAlignment = 16;

  // Returns n bytes that live as long as the arena. REQUIRES: n > 0.
  char* Allocate(size_t n) {
    assert(n > 0);
    if (n > remaining_) return AllocateFromNewBlock(n);
    char* const result = position_;
    position_ += n;
    remaining_ -= n;
    AddUsage(n);
    return result;
  }

  // Returns n bytes at an address that is a multiple of kAlignment. REQUIRES: n > 0.
  char* AllocateAligned(size_t n) {
    const size_t gap = -reinterpret_cast<uintptr_t>(position_) & (kAlignment - 1);
    if (n + gap > remaining_) return AllocateFromNewBlock(n);
    char* const result = position_ + gap;
    position_ += n + gap;
    remaining_ -= n + gap;
    AddUsage(n + gap);
    return result;
  }

  // Gets and maps the next block now, so that Allocate need not, if less than n bytes (at most a
  // quarter of the largest block) are left and the next block is one of the largest, which take
  // long. Prefetches the cache lines that are handed out next.
  void Prepare(size_t n) {
    if (n > remaining_) PrepareBlock();
    if (remaining_ < kPrefetchAhead + kPrefetchAtOnce) return;
    char* const end = position_ + kPrefetchAhead;
    if (prefetched_end_ < position_ || prefetched_end_ > end) prefetched_end_ = position_;
    // A constant number each time, which in the long run is more than is handed out between two
    // calls: the processor cannot predict how many lines are missing up to the end.
    for (size_t i = 0; i < kPrefetchAtOnce; i += kCacheLineBytes)
      PrefetchLineToWrite(prefetched_end_ + i);
    prefetched_end_ = std::min(prefetched_end_ + kPrefetchAtOnce, end);
  }

  // Returns the bytes handed out and lost between them. The rest of the current block does not
  // count.
  size_t MemoryUsage() const { return usage_.load(std::memory_order_relaxed); }

 private:
  // The start of every block is aligned for any type.
  char* AllocateFromNewBlock(size_t n);
  void PrepareBlock();
  void GrowBlocks();
  char* NewBlock(size_t size);

  // The size of a memtable entry and the two nodes of a split leaf.
  static constexpr size_t kPrefetchAhead = 10 * kCacheLineBytes;
  static constexpr size_t kPrefetchAtOnce = 3 * kCacheLineBytes;

  struct Block {
    char* start;
    size_t size;
  };

  // Plain addition would do for the single writer; readers need the store to be atomic.
  void AddUsage(size_t n) {
    usage_.store(usage_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  char* position_ = nullptr;
  char* prefetched_end_ = nullptr;  // the end of the lines that were prefetched
  size_t remaining_ = 0;
  size_t next_block_size_ = 4 * 1024;
  std::vector<Block> blocks_;
  std::atomic<size_t> usage_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_ARENA_H_
