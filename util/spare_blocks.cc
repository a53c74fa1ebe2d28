// Arenas only try to lock the mutex: in a forked child it may be locked for ever.

#include "util/spare_blocks.h"

#include <sys/mman.h>

#include <cstdint>

#include "leveldb/env.h"

namespace leveldb {

namespace {

// Maps twice as much and unmaps the parts outside an aligned block.
char* MapBlock() {
  constexpr size_t kBytes = SpareBlocks::kBlockBytes;
  void* const mapping = mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  char* const start = static_cast<char*>(mapping);
  const size_t before = -reinterpret_cast<uintptr_t>(start) & (kBytes - 1);
  char* const block = start + before;
  if (before != 0) munmap(start, before);
  if (before != kBytes) munmap(block + kBytes, kBytes - before);
#if defined(MADV_HUGEPAGE)
  // This is a hint: if it is refused, ordinary pages are used.
  (void)madvise(block, kBytes, MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace

SpareBlocks& SpareBlocks::Get() {
  static SpareBlocks* const blocks = new SpareBlocks;
  return *blocks;
}

// Reserves room for one block more than is kept: it may be in preparation when the others are given
// back.
SpareBlocks::SpareBlocks() {
  blocks_.reserve(kMostBlocks + 1);
}

char* SpareBlocks::Take() {
  char* block = nullptr;
  bool are_few = false;
  if (mutex_.TryLock()) {
    if (!blocks_.empty()) {
      block = blocks_.back();
      blocks_.pop_back();
    }
    are_few = blocks_.size() < kBlocksAhead && !is_making_ready_;
    if (are_few) is_making_ready_ = true;
    mutex_.Unlock();
  }
  if (are_few) Env::Default()->Schedule(&MakeReady, this);
  return block != nullptr ? block : MapBlock();
}

// Prepares one block at a time, since other work waits for the same threads.
void SpareBlocks::MakeReady(void* spare_blocks) {
  SpareBlocks* const self = static_cast<SpareBlocks*>(spare_blocks);
  char* const block = MapBlock();
  bool are_few = false;
  if (block != nullptr) {
    constexpr size_t kLeastPage = 4096;
    for (size_t at = 0; at < kBlockBytes; at += kLeastPage) {
      static_cast<volatile char*>(block)[at] = 0;
    }
  }
  {
    MutexLock lock(&self->mutex_);
    if (block != nullptr) {
      self->blocks_.push_back(block);
      are_few = self->blocks_.size() < kBlocksAhead;
    }
    self->is_making_ready_ = are_few;
  }
  if (are_few) Env::Default()->Schedule(&MakeReady, self);
}

void SpareBlocks::Give(char* block) {
#if defined(MADV_FREE)
  (void)madvise(block, kBlockBytes, MADV_FREE);
#endif
  bool kept = false;
  if (mutex_.TryLock()) {
    kept = blocks_.size() < kMostBlocks;
    if (kept) blocks_.push_back(block);
    mutex_.Unlock();
  }
  if (!kept) munmap(block, kBlockBytes);
}

size_t SpareBlocks::Count() const {
  MutexLock lock(&mutex_);
  return blocks_.size();
}

}  // namespace leveldb
