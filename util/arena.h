// Arena: memory for many small objects that all die together.
//
// Allocation moves a pointer inside the current block. Blocks grow with what is in use, from 4 KiB
// to 64 KiB, and have 2 MiB from then on, so a small arena stays small and a large one takes few
// calls. Blocks of the largest size are mapped, aligned and offered to the system as huge pages,
// because structures that are walked at random (the memtable) spend much of their time in address
// translation. Requests larger than a quarter of a block get one of their own. The largest blocks
// are kept for the next arenas, and made ready ahead (spare_blocks).
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

// Thread-safety: one thread at a time allocates; MemoryUsage may be called from any thread.
class Arena {
 public:
  Arena() = default;

  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Frees everything allocated.
  ~Arena();

  // The alignment of AllocateAligned.
  static constexpr size_t kAlignment = 16;

  // n bytes that live as long as the arena. REQUIRES: n > 0.
  char* Allocate(size_t n) {
    assert(n > 0);
    if (n > remaining_) return AllocateFromNewBlock(n);
    char* const result = position_;
    position_ += n;
    remaining_ -= n;
    AddUsage(n);
    return result;
  }

  // The same, at an address that is a multiple of kAlignment.
  char* AllocateAligned(size_t n) {
    const size_t gap = -reinterpret_cast<uintptr_t>(position_) & (kAlignment - 1);
    if (n + gap > remaining_) return AllocateFromNewBlock(n);
    char* const result = position_ + gap;
    position_ += n + gap;
    remaining_ -= n + gap;
    AddUsage(n + gap);
    return result;
  }

  // Gets a block now, and its memory, if less than n bytes (at most a quarter of the largest block)
  // are left and the next block would be one of those that take long: so that Allocate need not.
  // Asks for the lines that are handed out next.
  void Prepare(size_t n) {
    if (n > remaining_) PrepareBlock();
    if (remaining_ < kPrefetchAhead + kPrefetchAtOnce) return;
    char* const end = position_ + kPrefetchAhead;
    if (prefetched_end_ < position_ || prefetched_end_ > end) prefetched_end_ = position_;
    // As many each time, which is more than are handed out between two calls in the long run: how
    // many it takes to come to the end is nothing that a processor could foresee.
    for (size_t i = 0; i < kPrefetchAtOnce; i += kCacheLineBytes)
      PrefetchLineToWrite(prefetched_end_ + i);
    prefetched_end_ = std::min(prefetched_end_ + kPrefetchAtOnce, end);
  }

  // Bytes handed out and lost between them. What is left of the current block does not count.
  size_t MemoryUsage() const { return usage_.load(std::memory_order_relaxed); }

 private:
  // The start of every block is aligned for any type.
  char* AllocateFromNewBlock(size_t n);
  void PrepareBlock();
  void GrowBlocks();
  char* NewBlock(size_t size);

  // What a memtable takes for an entry and the two nodes of a split leaf.
  static constexpr size_t kPrefetchAhead = 10 * kCacheLineBytes;
  static constexpr size_t kPrefetchAtOnce = 3 * kCacheLineBytes;

  struct Block {
    char* start;
    size_t size;
  };

  // Plain addition would do for the one writer; readers need the store to be atomic.
  void AddUsage(size_t n) {
    usage_.store(usage_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  char* position_ = nullptr;
  char* prefetched_end_ = nullptr;  // up to where lines have been asked for
  size_t remaining_ = 0;
  size_t next_block_size_ = 4 * 1024;
  std::vector<Block> blocks_;
  std::atomic<size_t> usage_{0};
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_ARENA_H_
