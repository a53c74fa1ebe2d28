// Block: a view of the parts of a block that is being read (block_builder.h shows the format).
//
// Nothing in a block is trusted. Parse checks the size and the number of restart points; restart
// points and entries are checked whenever they are read, since a search reads only a few of them
// and checking the whole block would cost more than the search.
#ifndef BUSHSTORE_TABLE_BLOCK_H_
#define BUSHSTORE_TABLE_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/slice.h"
#include "util/coding.h"

namespace leveldb {

// A view of bytes that the caller keeps alive. The default is a block without entries.
class Block {
 public:
  Block() = default;

  // Returns false, leaving *block unchanged, if `contents` cannot be a block.
  static bool Parse(const Slice& contents, Block* block) {
    const size_t size = contents.size();
    if (size < 8) return false;  // every block has a restart point
    const uint32_t restarts = LoadFixed32(contents.data() + size - 4);
    if (restarts == 0 || restarts > (size - 4) / 4) return false;
    const size_t entries_size = size - 4 - 4 * static_cast<size_t>(restarts);
    const char* const limit = contents.data() + entries_size;
    if (LoadFixed32(limit) != 0) return false;  // the first restart point is the first entry
    block->entries_ = contents.data();
    block->limit_ = limit;
    block->restart_count_ = restarts;
    return true;
  }

  // The entries' bytes are [entries(), limit()).
  const char* entries() const { return entries_; }
  const char* limit() const { return limit_; }

  uint32_t restart_count() const { return restart_count_; }

  // Returns the position of the offset of restart point i < restart_count(); after the last offset
  // follows their number.
  const char* RestartSlot(size_t i) const { return limit_ + 4 * i; }

  // Returns the entry at restart point i < restart_count(), or null if it lies outside the block.
  const char* RestartPoint(uint32_t i) const {
    const uint32_t offset = LoadFixed32(RestartSlot(i));
    if (offset > static_cast<size_t>(limit_ - entries_)) return nullptr;
    return entries_ + offset;
  }

 private:
  const char* entries_ = "";
  const char* limit_ = entries_;
  uint32_t restart_count_ = 0;
};

// The decoded head of an entry, and the positions of its parts.
struct BlockEntry {
  uint32_t shared;    // bytes of the key that the previous key begins with too
  uint32_t unshared;  // bytes of the key stored here
  uint32_t value_size;
  const char* key_suffix;  // the unshared bytes, then the value

  // Reads the entry at p. Returns false if it is malformed or does not end by `limit`. Does not
  // check `shared`, which depends on the key before.
  [[gnu::always_inline]] bool Decode(const char* p, const char* limit) {
    // The usual case: short keys, and values below 16 KiB.
    if (limit - p < 4 || ((p[0] | p[1]) & 0x80) != 0) return DecodeLong(p, limit);
    const uint32_t low = static_cast<uint8_t>(p[2]);
    const uint32_t high = static_cast<uint8_t>(p[3]);
    if (low >= 0x80 && high >= 0x80) return DecodeLong(p, limit);
    shared = static_cast<uint8_t>(p[0]);
    unshared = static_cast<uint8_t>(p[1]);
    value_size = low < 0x80 ? low : (low & 0x7f) | (high << 7);
    key_suffix = p + (low < 0x80 ? 3 : 4);
    return EndsBy(limit);
  }

  const char* value() const { return key_suffix + unshared; }
  const char* end() const { return value() + value_size; }

 private:
  [[gnu::noinline]] bool DecodeLong(const char* p, const char* limit) {
    p = LoadVarint32(p, limit, &shared);
    if (p != nullptr) p = LoadVarint32(p, limit, &unshared);
    if (p != nullptr) p = LoadVarint32(p, limit, &value_size);
    key_suffix = p;
    return p != nullptr && EndsBy(limit);
  }
  bool EndsBy(const char* limit) const {
    return uint64_t{unshared} + value_size <= static_cast<uint64_t>(limit - key_suffix);
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_H_
