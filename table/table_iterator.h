// TableIterator: iterates over all entries of a table, block after block.
#ifndef BUSHSTORE_TABLE_TABLE_ITERATOR_H_
#define BUSHSTORE_TABLE_TABLE_ITERATOR_H_

#include <cstdint>

#include "iterator/prefetchable_iterator.h"
#include "iterator/scan_hints.h"
#include "leveldb/options.h"
#include "table/block_cursor.h"
#include "table/block_handle.h"
#include "table/block_source.h"
#include "table/file_read_ahead.h"
#include "table/pinned_block.h"
#include "table/table_index.h"
#include "util/step_prefetch.h"

namespace leveldb {

// Needs one allocation: both cursors are part of the object.
class TableIterator final : public InternalIteratorBase<TableIterator, PrefetchableIterator> {
 public:
  // Source and index belong to the table and must outlive the iterator, as must everything that
  // `hints` point to. Steps over a mapped file prefetch the entries that follow. They prefetch only
  // the beginnings of entries with long values if the scan has a read_ahead that does not want
  // values, and checksums are not verified.
  TableIterator(const BlockSource& source, const TableIndex& index, const ReadOptions& options,
                const ScanHints& hints);

  bool Valid() const override { return data_.Valid(); }
  Slice key() const override { return data_.key(); }
  Slice value() const override { return data_.value(); }
  Status status() const override { return status_; }

  void SeekToFirst() override;
  void SeekToLast() override;
  void PrefetchSeek(const Slice& target) override;
  void Seek(const Slice& target) override;
  void Next() override;
  void Prev() override;

 private:
  enum class Direction { kJump, kForward, kBackward };
  void LoadBlock(BlockSource::PrefetchMode prefetch, Direction direction);
  Status TryLoadBlock(BlockSource::PrefetchMode prefetch, Direction direction);
  void Unload();
  void NoteFailure(const Status& failure);
  void NoteMalformedEntry();
  void SkipForward();
  void SkipBackward();
  bool IsOnMapped() const;
  BlockSource::PrefetchMode PrefetchModeOfStep() const;
  bool WantsAll() const;
  void PrefetchEndOfNextBlock() const;

  const BlockSource& source_;
  const TableIndex& index_;
  const ReadOptions options_;
  const ReadAhead* const read_ahead_;
  FileReadAhead file_read_ahead_;

  BlockCursor index_cursor_;
  bool begun_ = false;       // a seek has begun, and index_cursor_ is where it leads
  bool prefetched_ = false;  // and its block has been prefetched
  bool loaded_ = false;  // whether data_ is attached to the block at handle_, which pinned_ holds
  BlockHandle handle_;
  PinnedBlock pinned_;
  PinnedBlock left_;  // the block last left by a step back
  BlockCursor data_;  // not valid unless index_cursor_ is
  StepPrefetch prefetch_;
  Status status_;  // the first failure
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_TABLE_ITERATOR_H_
