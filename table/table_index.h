// TableIndex: the index block of a table, kept in memory as long as the table is open.
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

// Where in an index, and so about where among the data blocks, a key belongs.
struct BlockPlace {
  bool is_known = false;  // otherwise the index is malformed
  uint32_t restart = 0;   // the first restart point at or after the key, or `count`; 0: not known
  uint32_t count = 0;     // restart points; mostly there is one for each data block
};

// Safe to share once loaded.
class TableIndex {
 public:
  // `source` must outlive the index.
  TableIndex(const BlockSource& source, const KeyOrder& order) : source_(source), order_(order) {}

  // Reads the index block. Its checksum is always verified: a damaged index would hide keys that
  // are there. Called once, first.
  Status Load(const BlockHandle& handle);

  const KeyOrder& order() const { return order_; }

  // Lets *cursor walk the entries.
  void Attach(BlockCursor* cursor) const { cursor->Attach(block_, order_.trailer_size()); }

  // Moves *cursor, which is attached, to the entry of the only data block that can hold `target`.
  void Seek(const Slice& target, BlockCursor* cursor) const {
    SeekTo(target, Find(target), cursor);
  }

  // Seek in two steps. Where there is a directory, the first one looks at little else and asks for
  // the entry that the second one goes to; the caller can ask for what belongs to that place in
  // between.
  BlockPlace Find(const Slice& target) const;
  void SeekTo(const Slice& target, const BlockPlace& place, BlockCursor* cursor) const;

  // The handle at a valid cursor. Corruption when it is none.
  Status HandleAt(const BlockCursor& cursor, BlockHandle* handle) const;

  // Bytes of memory that it holds.
  size_t MemoryUsage() const { return pinned_.contents().size() + directory_.MemoryUsage(); }

  // The state of an invalid cursor: OK at the end, or Corruption.
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
