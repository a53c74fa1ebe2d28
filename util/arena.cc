#include "util/arena.h"

#include <cstdlib>
#include <new>

#include "util/spare_blocks.h"

namespace leveldb {

namespace {

constexpr size_t kLargestBlock = SpareBlocks::kBlockBytes;

// Blocks grow to this size, and the next ones are of the largest size: blocks in between would be
// made of fresh memory each time, with a page fault at the first write to each page.
constexpr size_t kLargestSmallBlock = 64 * 1024;

}  // namespace

Arena::~Arena() {
  for (const Block& block : blocks_) {
    if (block.size == kLargestBlock) {
      SpareBlocks::Get().Give(block.start);
    } else {
      std::free(block.start);
    }
  }
}

void Arena::GrowBlocks() {
  while (next_block_size_ < kLargestBlock && MemoryUsage() >= 4 * next_block_size_) {
    next_block_size_ = next_block_size_ < kLargestSmallBlock ? 2 * next_block_size_ : kLargestBlock;
  }
}

char* Arena::AllocateFromNewBlock(size_t n) {
  GrowBlocks();
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

void Arena::PrepareBlock() {
  GrowBlocks();
  if (next_block_size_ < kLargestBlock) return;
  char* const block = NewBlock(kLargestBlock);
  block[0] = 0;  // usually a huge page
  AddUsage(remaining_);
  position_ = block;
  remaining_ = kLargestBlock;
}

char* Arena::NewBlock(size_t size) {
  blocks_.push_back(Block{nullptr, 0});  // First, so that a failure leaves nothing to free.
  char* const start =
      size == kLargestBlock ? SpareBlocks::Get().Take() : static_cast<char*>(std::malloc(size));
  if (start == nullptr) throw std::bad_alloc();
  blocks_.back() = Block{start, size};
  return start;
}

}  // namespace leveldb
