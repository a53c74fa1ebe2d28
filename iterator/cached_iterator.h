// CachedIterator: an iterator pointer that caches the current key and value, so that code which
// compares keys repeatedly (merging, levels) makes no virtual calls for them.
#ifndef BUSHSTORE_ITERATOR_CACHED_ITERATOR_H_
#define BUSHSTORE_ITERATOR_CACHED_ITERATOR_H_

#include <cassert>
#include <memory>

#include "iterator/internal_iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Owns its iterator. Move only. All functions except Reset, get and Valid require that an iterator
// is set.
class CachedIterator {
 public:
  CachedIterator() = default;
  explicit CachedIterator(InternalIterator* iterator) { Reset(iterator); }

  // Deletes the current iterator and takes ownership of `iterator`, which may be null.
  void Reset(InternalIterator* iterator) {
    iterator_.reset(iterator);
    valid_ = false;
    if (iterator != nullptr) Remember();
  }

  // Passes ownership of the iterator to the caller.
  InternalIterator* Release() {
    valid_ = false;
    return iterator_.release();
  }

  InternalIterator* get() const { return iterator_.get(); }
  bool Valid() const { return valid_; }

  const Slice& key() const {
    assert(valid_);
    return result_.key;
  }
  const Slice& value() const {
    assert(valid_);
    return result_.value;
  }
  Status status() const { return iterator_->status(); }

  void SeekToFirst() {
    iterator_->SeekToFirst();
    Remember();
  }
  void SeekToLast() {
    iterator_->SeekToLast();
    Remember();
  }
  void Seek(const Slice& target) {
    iterator_->Seek(target);
    Remember();
  }
  void Next() {
    assert(valid_);
    valid_ = iterator_->NextAndGetResult(&result_);
  }
  void Prev() {
    assert(valid_);
    valid_ = iterator_->PrevAndGetResult(&result_);
  }

 private:
  void Remember() { valid_ = iterator_->GetResult(&result_); }

  std::unique_ptr<InternalIterator> iterator_;
  bool valid_ = false;
  InternalIterator::IterateResult result_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_CACHED_ITERATOR_H_
