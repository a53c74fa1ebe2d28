#include "table/table_iterator.h"

#include <algorithm>
#include <cassert>

#include "table/block.h"
#include "util/prefetch.h"

namespace leveldb {

namespace {

// A step asks for the bytes so far from the entry that it reaches: they come in the time that those
// between are read in.
constexpr size_t kAhead = 6 * 1024;
// Until that is asked for, it asks for so many times what it passes: the next step may be none.
constexpr size_t kHaste = 2;
// Less is left to a later step, so that steps over small entries do not ask one by one.
constexpr size_t kLeast = 1024;

uintptr_t AddressOf(const char* p) {
  return reinterpret_cast<uintptr_t>(p);
}

// From where a step is to where was asked; nothing if that was for steps elsewhere.
size_t AskedAhead(uintptr_t distance) {
  return distance > kAhead ? 0 : distance;
}

// About as much as steps use up, since of many lines at once a processor drops some.
size_t NextToAsk(size_t ahead, size_t value_size) {
  if (kAhead - ahead < kLeast) return 0;
  return std::min(kAhead - ahead, std::max(kLeast, kHaste * value_size));
}

}  // namespace

TableIterator::TableIterator(const BlockSource& source, const TableIndex& index,
                             const ReadOptions& options)
    : source_(source), index_(index), options_(options) {
  index_.Attach(&index_cursor_);
}

void TableIterator::SeekToFirst() {
  asked_ = 0;
  index_cursor_.SeekToFirst();
  LoadBlock();
  data_.SeekToFirst();
  if (!data_.Valid()) SkipForward();
}

void TableIterator::SeekToLast() {
  asked_ = 0;
  index_cursor_.SeekToLast();
  LoadBlock();
  data_.SeekToLast();
  if (!data_.Valid()) SkipBackward();
}

void TableIterator::Seek(const Slice& target) {
  asked_ = 0;
  index_.Seek(target, &index_cursor_);
  LoadBlock();
  data_.Seek(index_.order(), target);
  if (!data_.Valid()) SkipForward();
}

void TableIterator::Next() {
  assert(Valid());
  data_.Next();
  if (!data_.Valid()) SkipForward();
  AskAhead();
}

void TableIterator::Prev() {
  assert(Valid());
  data_.Prev();
  if (!data_.Valid()) SkipBackward();
  AskBack();
}

// Attaches data_ to the block that index_cursor_ names; to no entries when it names none or the
// block cannot be had.
void TableIterator::LoadBlock() {
  const Status status = index_cursor_.Valid() ? TryLoadBlock() : index_.StatusOf(index_cursor_);
  if (status.ok() && index_cursor_.Valid()) return;
  NoteFailure(status);
  Unload();
}

Status TableIterator::TryLoadBlock() {
  BlockHandle handle;
  Status status = index_.HandleAt(index_cursor_, &handle);
  if (!status.ok()) return status;
  if (loaded_ && handle == handle_) return status;

  loaded_ = false;
  const BlockSource::Ask ask = asked_ == 0 ? BlockSource::Ask::kBlock : BlockSource::Ask::kNothing;
  status = source_.Fetch(options_, handle, &pinned_, ask);
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

// Of a mapped file, in which entries and blocks follow each other as steps do.
void TableIterator::AskAhead() {
  if (!data_.Valid() || !pinned_.IsMapped()) return;
  const Slice value = data_.value();
  const char* const end = value.data() + value.size();
  const size_t ahead = AskedAhead(asked_ - AddressOf(end));
  const size_t size = NextToAsk(ahead, value.size());
  if (size == 0) return;
  PrefetchNear(end + ahead, size);
  asked_ = AddressOf(end) + ahead + size;
}

void TableIterator::AskBack() {
  if (!data_.Valid() || !pinned_.IsMapped()) return;
  const Slice value = data_.value();
  const size_t ahead = AskedAhead(AddressOf(value.data()) - asked_);
  const size_t size = NextToAsk(ahead, value.size());
  if (size == 0) return;
  asked_ = AddressOf(value.data()) - ahead - size;
  PrefetchNear(value.data() - ahead - size, size);
}

void TableIterator::Unload() {
  data_.Attach(Block(), 0);
  pinned_.Release();
  loaded_ = false;
}

// While the block stood on has no entry left: on to the next, up to the end of the index.
void TableIterator::SkipForward() {
  while (!data_.Valid() && index_cursor_.Valid()) {
    if (data_.corrupt()) NoteMalformedEntry();
    index_cursor_.Next();
    LoadBlock();
    data_.SeekToFirst();
  }
}

// The block that is left is kept until the next is, for the value it showed.
void TableIterator::SkipBackward() {
  left_.Swap(&pinned_);
  loaded_ = false;
  while (!data_.Valid() && index_cursor_.Valid()) {
    if (data_.corrupt()) NoteMalformedEntry();
    index_cursor_.Prev();
    LoadBlock();
    data_.SeekToLast();
  }
}

}  // namespace leveldb
