#include "table/table_iterator.h"

#include <cassert>

#include "iterator/read_ahead.h"
#include "table/block.h"
#include "util/prefetch.h"

namespace leveldb {

TableIterator::TableIterator(const BlockSource& source, const TableIndex& index,
                             const ReadOptions& options, const ScanHints& hints)
    : source_(source),
      index_(index),
      options_(options),
      read_ahead_(options.verify_checksums ? nullptr : hints.read_ahead),
      file_read_ahead_(source.pages(), hints.window, hints.replaces) {
  index_.Attach(&index_cursor_);
}

void TableIterator::SeekToFirst() {
  prefetch_.Forget();
  file_read_ahead_.Restart();
  begun_ = false;
  index_cursor_.SeekToFirst();
  LoadBlock(BlockSource::PrefetchMode::kAll, Direction::kForward);
  data_.SeekToFirst();
  if (!data_.Valid()) SkipForward();
}

void TableIterator::SeekToLast() {
  prefetch_.Forget();
  file_read_ahead_.Restart();
  begun_ = false;
  index_cursor_.SeekToLast();
  LoadBlock(BlockSource::PrefetchMode::kAll, Direction::kBackward);
  data_.SeekToLast();
  if (!data_.Valid()) SkipBackward();
}

void TableIterator::PrefetchSeek(const Slice& target) {
  begun_ = false;
  index_.Seek(target, &index_cursor_);
  begun_ = true;
  BlockHandle handle;
  prefetched_ = index_cursor_.Valid() && index_.HandleAt(index_cursor_, &handle).ok() &&
                (!loaded_ || handle != handle_) && source_.PrefetchBlock(options_, handle);
}

void TableIterator::Seek(const Slice& target) {
  prefetch_.Forget();
  file_read_ahead_.Jump();
  if (!begun_) index_.Seek(target, &index_cursor_);
  LoadBlock(begun_ && prefetched_ ? BlockSource::PrefetchMode::kNothing
                                  : BlockSource::PrefetchMode::kSearched,
            Direction::kJump);
  begun_ = false;
  data_.Seek(index_.order(), target);
  if (!data_.Valid()) return SkipForward();
  if (pinned_.IsMapped()) source_.NoteEntry(data_.entry());
}

void TableIterator::Next() {
  assert(Valid());
  data_.Next();
  const bool leaves_block = !data_.Valid();
  if (leaves_block) SkipForward();
  if (!IsOnMapped()) return;
  const Slice entry = data_.entry();
  if (WantsAll()) {
    prefetch_.OnNext(entry.data() + entry.size());
  } else {
    if (leaves_block) PrefetchEndOfNextBlock();
    prefetch_.OnNextBeginning(entry);
  }
}

void TableIterator::Prev() {
  assert(Valid());
  data_.Prev();
  if (!data_.Valid()) SkipBackward();
  if (!IsOnMapped()) return;
  const Slice entry = data_.entry();
  if (WantsAll()) {
    prefetch_.OnPrev(entry.data());
  } else {
    prefetch_.OnPrevBeginning(entry);
  }
}

// Attaches data_ to the block that index_cursor_ names, or to no entries if it names none or the
// block can't be read.
void TableIterator::LoadBlock(BlockSource::PrefetchMode prefetch, Direction direction) {
  const Status status =
      index_cursor_.Valid() ? TryLoadBlock(prefetch, direction) : index_.StatusOf(index_cursor_);
  if (status.ok() && index_cursor_.Valid()) return;
  NoteFailure(status);
  Unload();
}

Status TableIterator::TryLoadBlock(BlockSource::PrefetchMode prefetch, Direction direction) {
  BlockHandle handle;
  Status status = index_.HandleAt(index_cursor_, &handle);
  if (!status.ok()) return status;
  if (loaded_ && handle == handle_) return status;

  loaded_ = false;
  if (direction != Direction::kJump && file_read_ahead_.IsOn() && !source_.IsCached(handle)) {
    const uint64_t stored_size = handle.size + kBlockTrailerSize;
    if (direction == Direction::kForward) {
      file_read_ahead_.StepForward(handle.offset, stored_size);
    } else {
      file_read_ahead_.StepBackward(handle.offset, stored_size);
    }
  }
  status = source_.Fetch(options_, handle, &pinned_, prefetch);
  if (!status.ok()) return status;
  Block block;
  if (!Block::Parse(pinned_.contents(), &block)) {
    return source_.BlockCorruption(handle.offset, "malformed data block");
  }
  data_.Attach(block, index_.order().trailer_size());
  handle_ = handle;
  loaded_ = true;
  return status;
}

void TableIterator::NoteFailure(const Status& failure) {
  if (status_.ok()) status_ = failure;
}

void TableIterator::NoteMalformedEntry() {
  NoteFailure(source_.BlockCorruption(handle_.offset, "malformed entry"));
}

// Returns whether the current entry is part of a mapped file, in which entries and blocks are
// contiguous in iteration order.
bool TableIterator::IsOnMapped() const {
  return data_.Valid() && pinned_.IsMapped();
}

// Returns the mode for a block that a step enters: earlier steps have prefetched it, or what they
// need of it, unless there were none.
BlockSource::PrefetchMode TableIterator::PrefetchModeOfStep() const {
  return prefetch_.prefetched() == 0 ? BlockSource::PrefetchMode::kAll
                                     : BlockSource::PrefetchMode::kNothing;
}

// Returns whether a step to this entry should prefetch whole entries.
bool TableIterator::WantsAll() const {
  return data_.value().size() < ReadAhead::kLongValueBytes || read_ahead_ == nullptr ||
         read_ahead_->wanted();
}

// Prefetches the trailer of the next block, where it is if that block is as long as this one. It is
// read when the block is entered, and steps prefetch no entry there.
void TableIterator::PrefetchEndOfNextBlock() const {
  const Slice contents = pinned_.contents();
  PrefetchLine(contents.data() + 2 * contents.size() + kBlockTrailerSize);
}

void TableIterator::Unload() {
  data_.Attach(Block(), 0);
  pinned_.Release();
  loaded_ = false;
}

// Moves on to the next block, up to the end of the index, while the current one has no entry left.
void TableIterator::SkipForward() {
  while (!data_.Valid() && index_cursor_.Valid()) {
    if (data_.corrupt()) NoteMalformedEntry();
    index_cursor_.Next();
    LoadBlock(PrefetchModeOfStep(), Direction::kForward);
    data_.SeekToFirst();
  }
}

// Moves back likewise. Keeps the block that is left until the next one is, for the value returned
// last.
void TableIterator::SkipBackward() {
  left_.Swap(&pinned_);
  loaded_ = false;
  while (!data_.Valid() && index_cursor_.Valid()) {
    if (data_.corrupt()) NoteMalformedEntry();
    index_cursor_.Prev();
    LoadBlock(PrefetchModeOfStep(), Direction::kBackward);
    data_.SeekToLast();
  }
}

}  // namespace leveldb
