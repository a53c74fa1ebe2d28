// Entries are decoded directly from the leaf. Only the key is put together, in a buffer that keeps
// the leaf's prefix from one entry to the next. Entering a leaf prefetches the head of the next one
// in the direction of the iteration. Steps forward prefetch the bytes that follow in memory, since
// leaves are written without gaps.
#include "pmem/bptree/iter.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <utility>

#include "iterator/read_ahead.h"
#include "pmem/bptree/search.h"
#include "pmem/bptree/tree_meta.h"
#include "util/copy_short.h"
#include "util/prefetch.h"

namespace leveldb {

namespace {

// With fewer, reads still wait where there are few trees; with more, many are prefetched in vain.
constexpr size_t kValuesAhead = 4;
// Covers a whole value, or so much of a long one that the hardware prefetcher has by then detected
// that lines are read in order. Leaving out a single line costs as much as leaving out all of them.
constexpr size_t kValuePrefetch = 1024;

}  // namespace

inline void TreeIterator::Show(const LeafEntry& entry, size_t index) {
  const size_t prefix_size = view_.prefix().size();
  key_size_ = prefix_size + entry.suffix.size() + kTrailerSize;
  if (key_size_ > key_capacity_) ReserveKey(key_size_);
  char* const end = key_.get() + prefix_size;
  CopyShort(end, entry.suffix.data(), entry.suffix.size());
  StoreFixed64(end + entry.suffix.size(), PackTrailer(entry.sequence, entry.type));
  value_ = entry.value;
  index_ = index;
  valid_ = true;
}

void TreeIterator::SeekToFirst() {
  status_ = Status::OK();
  prefetch_.Forget();
  if (EnterLeaf(0)) GoTo(0);
}

void TreeIterator::SeekToLast() {
  status_ = Status::OK();
  prefetch_.Forget();
  if (EnterLeaf(meta_.leaves.size() - 1)) GoTo(view_.count() - 1);
}

void TreeIterator::Seek(const Slice& target) {
  status_ = Status::OK();
  prefetch_.Forget();
  const Slice user_key = ExtractUserKey(target);
  const TreeRecord& record = meta_.record;
  if (comparator_.CompareUserKeys(user_key, record.smallest.user_key()) < 0) {
    SeekToFirst();
    return;
  }
  if (comparator_.CompareUserKeys(user_key, record.largest.user_key()) > 0) {
    valid_ = false;
    return;
  }
  const uint64_t trailer = ExtractTrailer(target);
  const size_t leaf = meta_.separators.Find(user_key, trailer);
  meta_.PrefetchSearchedLeaf(pool_, leaf);
  if (!EnterLeaf(leaf)) return;
  size_t index;
  if (!FindInLeaf(view_, comparator_, user_key, trailer, &index)) {
    Fail("has a malformed entry");
  } else if (index < view_.count()) {
    GoTo(index);
  } else {
    GoToNextLeaf();
  }
}

void TreeIterator::Next() {
  assert(valid_);
  const size_t next = index_ + 1;
  LeafEntry entry;
  if (next == view_.count()) {
    GoToNextLeaf();
  } else if (view_.ReadUsualEntry(next, &entry)) {
    Show(entry, next);
    prefetch_.OnNext(entry.value.data() + entry.value.size());
  } else {
    GoTo(next);
  }
  if (WantsValues()) PrefetchValuesAfter();
}

void TreeIterator::Prev() {
  assert(valid_);
  if (index_ > 0) {
    GoTo(index_ - 1);
  } else if (leaf_ == 0) {
    valid_ = false;
  } else if (EnterLeaf(leaf_ - 1)) {
    if (leaf_ > 0) meta_.PrefetchLeaf(pool_, leaf_ - 1);
    GoTo(view_.count() - 1);
  }
  if (WantsValues()) PrefetchValuesBefore();
}

void TreeIterator::Fail(const char* what) {
  valid_ = false;
  status_ = meta_.DamagedLeaf(pool_, leaf_, what);
}

void TreeIterator::GoToNextLeaf() {
  if (leaf_ + 1 == meta_.leaves.size()) {
    valid_ = false;
    return;
  }
  if (!EnterLeaf(leaf_ + 1)) return;
  if (leaf_ + 1 < meta_.leaves.size()) meta_.PrefetchLeaf(pool_, leaf_ + 1);
  GoTo(0);
}

// Makes `leaf` the current one; the iterator is not positioned at any of its entries yet.
bool TreeIterator::EnterLeaf(size_t leaf) {
  leaf_ = leaf;
  prefetched_begin_ = SIZE_MAX;
  prefetched_end_ = 0;
  valid_ = false;
  status_ = meta_.OpenLeaf(pool_, leaf, verify_checksums_, &view_);
  if (!status_.ok()) return false;
  ReserveKey(view_.prefix().size() + kTrailerSize);
  memcpy(key_.get(), view_.prefix().data(), view_.prefix().size());
  return true;
}

void TreeIterator::GoTo(size_t index) {
  LeafEntry entry;
  if (!view_.ReadEntry(index, &entry)) return Fail("has a malformed entry");
  Show(entry, index);
}

// Returns whether the caller reads the values as well.
bool TreeIterator::WantsValues() const {
  return valid_ && read_ahead_ != nullptr && read_ahead_->wanted();
}

// Prefetches the values from this entry to the kValuesAhead next ones, except those that have been
// prefetched already.
void TreeIterator::PrefetchValuesAfter() {
  const size_t end = std::min(index_ + 1 + kValuesAhead, view_.count());
  for (prefetched_end_ = std::max(prefetched_end_, index_); prefetched_end_ < end;
       prefetched_end_++) {
    PrefetchValueAt(prefetched_end_);
  }
}

// Does the same for the entries before this one.
void TreeIterator::PrefetchValuesBefore() {
  const size_t begin = index_ - std::min(index_, kValuesAhead);
  for (prefetched_begin_ = std::min(prefetched_begin_, index_ + 1); prefetched_begin_ > begin;) {
    PrefetchValueAt(--prefetched_begin_);
  }
}

void TreeIterator::PrefetchValueAt(size_t index) const {
  LeafEntry entry;
  if (view_.ReadEntry(index, &entry) && entry.type == kTypeValueRef) PrefetchValue(entry.value);
}

void TreeIterator::PrefetchValue(const Slice& encoded) const {
  ValueRef reference;
  if (!DecodeValueRef(encoded, &reference)) return;
  PrefetchNear(pool_.base() + reference.pool_offset,
               std::min<size_t>(reference.length, kValuePrefetch));
}

// Makes room for a key; keeps the first bytes, the prefix.
void TreeIterator::ReserveKey(size_t size) {
  if (size <= key_capacity_) return;
  const size_t capacity = size * 2 + 64;
  std::unique_ptr<char[]> larger(new char[capacity]);
  if (key_capacity_ > 0) memcpy(larger.get(), key_.get(), key_capacity_);
  key_ = std::move(larger);
  key_capacity_ = capacity;
}

}  // namespace leveldb
