// BlockBuilder: writes one block of entries.
//
//   entries ... | offset of each restart point (fixed32) | number of restart points (fixed32)
//
//   entry = shared key bytes (varint32) | unshared key bytes (varint32) | value bytes (varint32)
//           | unshared part of the key | value
//
// A key is stored as its difference from the one before. Every few entries, at the restart points,
// it is stored whole, so that a reader can search among those and then read the entries in between.
#ifndef BUSHSTORE_TABLE_BLOCK_BUILDER_H_
#define BUSHSTORE_TABLE_BLOCK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "leveldb/slice.h"
#include "table/byte_buffer.h"

namespace leveldb {

// Keeps its memory from one block to the next. Needs exclusive access.
class BlockBuilder {
 public:
  // Stores a restart point every `restart_interval` entries; values below 1 count as 1.
  explicit BlockBuilder(int restart_interval);

  // Changes the interval from the next entry on. May be called in the middle of a block.
  void set_restart_interval(int restart_interval);

  // REQUIRES: key sorts after all keys of the block so far; Finish was not called since Reset.
  void Add(const Slice& key, const Slice& value);

  // Completes the block and returns its bytes, which stay valid until Reset or deletion. There is
  // room for `slack` more bytes directly after them.
  ByteBuffer* Finish(size_t slack);

  // Starts a new, empty block.
  void Reset();

  // Returns the size of the block that Finish would return now, in bytes.
  size_t CurrentSize() const { return buffer_.size() + 4 * restarts_.size() + 4; }

  bool empty() const { return buffer_.size() == 0; }

  // Returns the key added last. REQUIRES: !empty().
  Slice last_key() const { return last_key_.slice(); }

 private:
  uint32_t restart_interval_;
  ByteBuffer buffer_;
  std::vector<uint32_t> restarts_;
  uint32_t entries_since_restart_ = 0;
  ByteBuffer last_key_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_BUILDER_H_
