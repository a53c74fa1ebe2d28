// CachedIterator: an iterator pointer that remembers Valid() and key() of where it stands, so that
// code which compares keys over and over (merging, levels) makes no virtual calls for them.
#ifndef BUSHSTORE_ITERATOR_CACHED_ITERATOR_H_
#define BUSHSTORE_ITERATOR_CACHED_ITERATOR_H_

#include <cassert>
#include <memory>

#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Owns its iterator. Move only. Everything but Reset, get and Valid needs an iterator to be set.
class CachedIterator {
 public:
  CachedIterator() = default;
  explicit CachedIterator(Iterator* iterator) { Reset(iterator); }

  // Deletes the iterator held and takes over `iterator`, which may be null.
  void Reset(Iterator* iterator) {
    iterator_.reset(iterator);
    valid_ = false;
    if (iterator != nullptr) Remember();
  }

  // The iterator is the caller's from now on.
  Iterator* Release() {
    valid_ = false;
    return iterator_.release();
  }

  Iterator* get() const { return iterator_.get(); }
  bool Valid() const { return valid_; }

  const Slice& key() const {
    assert(valid_);
    return key_;
  }
  Slice value() const {
    assert(valid_);
    return iterator_->value();
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
    iterator_->Next();
    Remember();
  }
  void Prev() {
    assert(valid_);
    iterator_->Prev();
    Remember();
  }

 private:
  void Remember() {
    valid_ = iterator_->Valid();
    if (valid_) key_ = iterator_->key();
  }

  std::unique_ptr<Iterator> iterator_;
  bool valid_ = false;
  Slice key_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_CACHED_ITERATOR_H_
