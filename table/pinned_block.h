// PinnedBlock: the bytes of one block, and the resource that keeps them valid.
#ifndef BUSHSTORE_TABLE_PINNED_BLOCK_H_
#define BUSHSTORE_TABLE_PINNED_BLOCK_H_

#include <cstddef>
#include <cstring>
#include <utility>

#include "leveldb/cache.h"
#include "leveldb/slice.h"
#include "table/byte_buffer.h"

namespace leveldb {

// The bytes are part of a mapped file, which outlives the object, or belong to a pinned entry of
// the block cache, or are the object's own. Needs exclusive access.
class PinnedBlock {
 public:
  PinnedBlock() = default;
  ~PinnedBlock() { Release(); }
  PinnedBlock(const PinnedBlock&) = delete;
  PinnedBlock& operator=(const PinnedBlock&) = delete;

  const Slice& contents() const { return contents_; }

  // Returns whether the bytes are part of a mapped file.
  bool IsMapped() const { return handle_ == nullptr && contents_.data() != own_.data(); }

  // Unpins the bytes. Own memory is kept for the next block.
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

  // Returns own memory of at least `size` bytes, which the caller fills before it calls SetOwn, or
  // null if memory can't be allocated. Unpins what was pinned before.
  char* AllocateOwn(size_t size) {
    Release();
    return own_.TryAllocate(size == 0 ? 1 : size) ? own_.data() : nullptr;
  }
  void SetOwn(size_t size) {
    own_.SetSize(size);
    contents_ = own_.slice();
  }

  // Copies mapped bytes to memory of its own. Returns false, with nothing pinned, if memory can't
  // be allocated.
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
