// TableIndex: the index block of a table, kept in memory while the table is open.
//
// It has one entry per data block: the key is at or after the last key of that block and before the
// first of the next; the value is the block's handle.
#ifndef BUSHSTORE_TABLE_TABLE_INDEX_H_
#define BUSHSTORE_TABLE_TABLE_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "iterator/key_order.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "table/block.h"
#include "table/block_cursor.h"
#include "table/block_handle.h"
#include "table/block_source.h"
#include "table/key_directory.h"
#include "table/pinned_block.h"

namespace leveldb {

// The position of a key in an index, and so its approximate position among the data blocks.
struct BlockPlace {
  bool is_known = false;  // false: the index is malformed
  uint32_t restart = 0;   // the first restart point at or after the key, or `count`; 0: not known
  uint32_t count = 0;     // of restart points; usually there is one for each data block
};

// Safe to share once loaded.
class TableIndex {
 public:
  // `source` must outlive the index.
  TableIndex(const BlockSource& source, const KeyOrder& order) : source_(source), order_(order) {}

  // Reads the index block. Always verifies its checksum: a damaged index would hide keys. Must be
  // called once, before all other functions.
  Status Load(const BlockHandle& handle);

  const KeyOrder& order() const { return order_; }

  // Attaches *cursor to the entries.
  void Attach(BlockCursor* cursor) const { cursor->Attach(block_, order_.trailer_size()); }

  // Moves *cursor, which is attached, to the entry of the only data block that can hold `target`.
  void Seek(const Slice& target, BlockCursor* cursor) const {
    SeekTo(target, Find(target), cursor);
  }

  // Seek in two steps. If there is a directory, Find reads little else and prefetches the entry
  // that SeekTo moves to; between the two the caller can prefetch what belongs to that position.
  BlockPlace Find(const Slice& target) const;
  void SeekTo(const Slice& target, const BlockPlace& place, BlockCursor* cursor) const;

  // Reads the handle at a valid cursor. Returns Corruption if it is malformed.
  Status HandleAt(const BlockCursor& cursor, BlockHandle* handle) const;

  // Returns the memory used, in bytes.
  size_t MemoryUsage() const { return pinned_.contents().size() + directory_.MemoryUsage(); }

  // Returns the status of an invalid cursor: OK at the end, or Corruption.
  Status StatusOf(const BlockCursor& cursor) const {
    return cursor.corrupt() ? Malformed() : Status::OK();
  }

 private:
  Status Malformed() const { return source_.BlockCorruption(offset_, "malformed index block"); }

  const BlockSource& source_;
  const KeyOrder order_;
  uint64_t offset_ = 0;
  PinnedBlock pinned_;
  Block block_;
  KeyDirectory directory_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_TABLE_INDEX_H_
