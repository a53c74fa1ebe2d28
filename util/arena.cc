#include "util/arena.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

namespace {

constexpr size_t kLargestBlock = 2 * 1024 * 1024;  // A huge page on x86-64.

// A block of the largest size, aligned to it; null when there is no memory. Maps twice as much and
// gives back what lies outside.
char* MapLargestBlock() {
  void* const mapping = mmap(nullptr, 2 * kLargestBlock, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  char* const start = static_cast<char*>(mapping);
  const size_t before = -reinterpret_cast<uintptr_t>(start) & (kLargestBlock - 1);
  char* const block = start + before;
  if (before != 0) munmap(start, before);
  if (before != kLargestBlock) munmap(block + kLargestBlock, kLargestBlock - before);
#if defined(MADV_HUGEPAGE)
  // A hint: where it is refused, ordinary pages do.
  (void)madvise(block, kLargestBlock, MADV_HUGEPAGE);
#endif
  return block;
}

// Blocks that arenas have given back, for the next ones: mapping and first touching a block costs
// about as much as filling it. The system may take their contents, and so their memory, when it
// runs short.
class SpareBlocks {
 public:
  // A block, spare or new; null when there is no memory.
  char* Take() {
    char* block = nullptr;
    if (mutex_.TryLock()) {  // a forked child may find it locked for ever
      if (!blocks_.empty()) {
        block = blocks_.back();
        blocks_.pop_back();
      }
      mutex_.Unlock();
    }
    return block != nullptr ? block : MapLargestBlock();
  }

  void Give(char* block) {
#if defined(MADV_FREE)
    (void)madvise(block, kLargestBlock, MADV_FREE);
#endif
    bool kept = false;
    if (mutex_.TryLock()) {
      kept = blocks_.size() < kMaxSpareBlocks;
      if (kept) blocks_.push_back(block);
      mutex_.Unlock();
    }
    if (!kept) munmap(block, kLargestBlock);
  }

 private:
  static constexpr size_t kMaxSpareBlocks = 32;

  Mutex mutex_;
  std::vector<char*> blocks_ GUARDED_BY(mutex_);
};

SpareBlocks& TheSpareBlocks() {
  static SpareBlocks* const blocks = new SpareBlocks;  // outlives every arena
  return *blocks;
}

}  // namespace

Arena::~Arena() {
  for (const Block& block : blocks_) {
    if (block.size == kLargestBlock) {
      TheSpareBlocks().Give(block.start);
    } else {
      std::free(block.start);
    }
  }
}

char* Arena::AllocateFromNewBlock(size_t n) {
  while (next_block_size_ < kLargestBlock && MemoryUsage() >= 4 * next_block_size_) {
    next_block_size_ *= 2;
  }
  if (n > next_block_size_ / 4) {
    AddUsage(n);
    return NewBlock(n);
  }
  AddUsage(remaining_ + n);
  char* const result = NewBlock(next_block_size_);
  position_ = result + n;
  remaining_ = next_block_size_ - n;
  return result;
}

char* Arena::NewBlock(size_t size) {
  blocks_.push_back(Block{nullptr, 0});  // First, so that a failure leaves nothing to free.
  char* const start =
      size == kLargestBlock ? TheSpareBlocks().Take() : static_cast<char*>(std::malloc(size));
  if (start == nullptr) throw std::bad_alloc();
  blocks_.back() = Block{start, size};
  return start;
}

}  // namespace leveldb
