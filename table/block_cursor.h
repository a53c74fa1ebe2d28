// BlockCursor: iterates over and searches the entries of one block.
//
// A value type, meant for the stack or as part of an iterator: it allocates nothing unless a key is
// long or it moves backward. A key that is stored whole is returned in place; others are put
// together in the cursor.
#ifndef BUSHSTORE_TABLE_BLOCK_CURSOR_H_
#define BUSHSTORE_TABLE_BLOCK_CURSOR_H_

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "iterator/key_order.h"
#include "leveldb/slice.h"
#include "table/block.h"
#include "table/key_buffer.h"
#include "table/run_history.h"

namespace leveldb {

// Needs exclusive access. The block's bytes must stay valid while the cursor is attached to them.
//
// A malformed block makes the cursor invalid, and corrupt() true until it is next positioned.
class BlockCursor {
 public:
  // Attaches to a block without entries.
  BlockCursor() = default;

  BlockCursor(const BlockCursor&) = delete;
  BlockCursor& operator=(const BlockCursor&) = delete;

  // Attaches to another block; the cursor is not valid yet. Keys of less than min_key_size bytes
  // are treated as corruption.
  void Attach(const Block& block, size_t min_key_size) {
    block_ = block;
    min_key_size_ = min_key_size;
    StandOnNothing();
  }

  bool Valid() const { return entry_ != nullptr; }
  bool corrupt() const { return corrupt_; }

  // REQUIRES: Valid(). The key stays valid until the cursor moves, the value as long as the block's
  // bytes.
  Slice key() const {
    assert(Valid());
    return Slice(key_, key_size_);
  }
  Slice value() const {
    assert(Valid());
    return Slice(value_, static_cast<size_t>(next_ - value_));
  }

  // Returns the entry as it is stored in the block. REQUIRES: Valid().
  Slice entry() const {
    assert(Valid());
    return Slice(entry_, static_cast<size_t>(next_ - entry_));
  }

  void SeekToFirst();
  void SeekToLast();

  // Moves to the first entry whose key is at or after target.
  void Seek(const KeyOrder& order, const Slice& target);

  // Does the same for a caller that already knows that `restart` is the first restart point whose
  // key is at or after target (restart_count() if there is none).
  void SeekBeforeRestart(const KeyOrder& order, const Slice& target, uint32_t restart);

  // REQUIRES: Valid().
  void Next() {
    assert(Valid());
    if (!history_.empty()) history_.Clear();
    if (next_ == block_.limit()) {
      entry_ = nullptr;
    } else {
      ReadEntry(next_);
    }
  }
  void Prev();

 private:
  void StandOnNothing() {
    entry_ = nullptr;
    corrupt_ = false;
    key_size_ = 0;
    if (!history_.empty()) history_.Clear();
  }
  void FailAsCorrupt() {
    entry_ = nullptr;
    corrupt_ = true;
  }

  // Moves to a restart point, where no earlier key is needed. Null stands for one out of range.
  void ReadRestart(const char* p) {
    key_size_ = 0;
    if (p == nullptr) return FailAsCorrupt();
    ReadEntry(p);
  }

  // Moves to the entry at p, which follows the one whose key is in [key_, key_ + key_size_).
  void ReadEntry(const char* p) {
    BlockEntry entry;
    if (!entry.Decode(p, block_.limit())) return FailAsCorrupt();
    TakeEntry(p, entry);
  }

  // Does the same with the entry already decoded.
  void TakeEntry(const char* p, const BlockEntry& entry) {
    if (entry.shared > key_size_) return FailAsCorrupt();
    if (entry.shared == 0) {
      key_ = entry.key_suffix;
    } else {
      // At least eight bytes of restart points follow the limit.
      const bool may_read_past = block_.limit() - entry.key_suffix >= 8;
      key_buffer_.Assemble(key_, entry.shared, entry.key_suffix, entry.unshared, may_read_past);
      key_ = key_buffer_.data();
    }
    key_size_ = static_cast<size_t>(entry.shared) + entry.unshared;
    if (key_size_ < min_key_size_) return FailAsCorrupt();
    entry_ = p;
    value_ = entry.value();
    next_ = entry.end();
  }

  bool WalkTo(const KeyOrder& order, const Slice& target, const char* end);
  void GoToEntryBefore(const char* stop);
  const char* LastRestartBefore(const char* stop) const;
  void StepBack();

  Block block_;
  size_t min_key_size_ = 0;

  const char* entry_ = nullptr;  // the current entry; null: none
  const char* key_ = "";
  size_t key_size_ = 0;
  const char* value_ = nullptr;
  const char* next_ = nullptr;  // end of the value, which is where the next entry begins
  bool corrupt_ = false;

  RunHistory history_;  // the steps from a restart point to entry_; empty if not known
  KeyBuffer key_buffer_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_CURSOR_H_
