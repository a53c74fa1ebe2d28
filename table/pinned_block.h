// PinnedBlock: the bytes of one block, and what keeps them alive.
#ifndef BUSHSTORE_TABLE_PINNED_BLOCK_H_
#define BUSHSTORE_TABLE_PINNED_BLOCK_H_

#include <cstddef>
#include <cstring>
#include <utility>

#include "leveldb/cache.h"
#include "leveldb/slice.h"
#include "table/byte_buffer.h"

namespace leveldb {

// The bytes are either part of a mapped file, which outlives everything here; or an entry of the
// block cache, held; or its own. Needs exclusive access.
class PinnedBlock {
 public:
  PinnedBlock() = default;
  ~PinnedBlock() { Release(); }
  PinnedBlock(const PinnedBlock&) = delete;
  PinnedBlock& operator=(const PinnedBlock&) = delete;

  const Slice& contents() const { return contents_; }

  // Whether they are part of a mapped file.
  bool IsMapped() const { return handle_ == nullptr && contents_.data() != own_.data(); }

  // Lets go of the bytes. Own memory is kept for the next block.
  void Release() {
    if (handle_ != nullptr) cache_->Release(handle_);
    handle_ = nullptr;
    contents_ = Slice();
  }

  void Swap(PinnedBlock* other) {
    std::swap(contents_, other->contents_);
    std::swap(cache_, other->cache_);
    std::swap(handle_, other->handle_);
    std::swap(own_, other->own_);
  }

  // Each of these replaces what was pinned before.
  void SetMapped(const Slice& contents) {
    Release();
    contents_ = contents;
  }
  void SetCached(Cache* cache, Cache::Handle* handle, const Slice& contents) {
    Release();
    cache_ = cache;
    handle_ = handle;
    contents_ = contents;
  }

  // Own memory of at least `size` bytes, for the caller to fill and then pass to SetOwn; null when
  // there is not so much memory. What was pinned before is let go.
  char* AllocateOwn(size_t size) {
    Release();
    return own_.TryAllocate(size == 0 ? 1 : size) ? own_.data() : nullptr;
  }
  void SetOwn(size_t size) {
    own_.SetSize(size);
    contents_ = own_.slice();
  }

  // Gives mapped bytes memory of their own. False when there is not so much memory: then nothing is
  // pinned.
  bool CopyMapped() {
    if (!IsMapped()) return true;
    const Slice mapped = contents_;
    char* const own = AllocateOwn(mapped.size());
    if (own == nullptr) return false;
    memcpy(own, mapped.data(), mapped.size());
    SetOwn(mapped.size());
    return true;
  }

 private:
  Slice contents_;
  Cache* cache_ = nullptr;
  Cache::Handle* handle_ = nullptr;
  ByteBuffer own_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_PINNED_BLOCK_H_
