// The children are kept in a binary heap, with the one whose entry comes next at the top. A step
// moves the top child and restores the heap.
//
// Data is usually clustered: after a step the top child mostly stays at the top. So the better of
// its two children in the heap, the runner-up, is remembered while the heap below the top is
// unchanged: as long as the top child stays first, a step costs one comparison however many
// children there are.
//
// All children are on one side of the current entry: when iterating forward they are at or after
// it, backward at or before it. The first step in the other direction moves every child across by
// seeks. A child may discard an earlier error at a seek, so the error is kept until the caller
// seeks.

#include "iterator/merging.h"

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

#include "iterator/cached_iterator.h"

namespace leveldb {

namespace {

class MergingIterator final : public InternalIteratorBase<MergingIterator> {
 public:
  MergingIterator(const KeyOrder& order, const std::vector<InternalIterator*>& children,
                  std::vector<PrefetchableIterator*> prefetchable)
      : order_(order), children_(children.size()), prefetchable_(std::move(prefetchable)) {
    for (size_t i = 0; i < children.size(); i++) children_[i].Reset(children[i]);
    heap_.reserve(children.size());
  }

  bool Valid() const override { return !heap_.empty(); }
  Slice key() const override { return Top().key(); }
  Slice value() const override { return Top().value(); }
  Status status() const override;

  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void Next() override;
  void Prev() override;

 private:
  const CachedIterator& Top() const {
    assert(Valid());
    return *heap_[0];
  }

  // Returns whether child a's entry comes before child b's in the current direction.
  bool Precedes(const CachedIterator* a, const CachedIterator* b) const {
    const int order = order_.Compare(a->key(), b->key());
    return forward_ ? order < 0 || (order == 0 && a < b) : order > 0 || (order == 0 && a > b);
  }

  void KeepError();
  void BuildHeap();
  void SiftDown(size_t position);
  size_t BetterFollower(size_t position) const;
  void ReplaceTop();
  void SeekOthersBeyond(const CachedIterator* current);
  void TurnForward();
  void TurnBackward();
  void PassKey(CachedIterator* child, const Slice& key) const;

  const KeyOrder order_;
  std::vector<CachedIterator> children_;
  const std::vector<PrefetchableIterator*> prefetchable_;  // some of the children
  std::vector<CachedIterator*> heap_;                      // the children that are valid
  size_t runner_up_ = 0;  // position in heap_ of the second best; 0: not known
  bool forward_ = true;
  Status error_;  // of a child, from before a change of direction
};

Status MergingIterator::status() const {
  if (!error_.ok()) return error_;
  for (const CachedIterator& child : children_) {
    Status status = child.status();
    if (!status.ok()) return status;
  }
  return Status::OK();
}

void MergingIterator::SeekToFirst() {
  error_ = Status::OK();
  for (CachedIterator& child : children_) child.SeekToFirst();
  forward_ = true;
  BuildHeap();
}

void MergingIterator::SeekToLast() {
  error_ = Status::OK();
  for (CachedIterator& child : children_) child.SeekToLast();
  forward_ = false;
  BuildHeap();
}

void MergingIterator::Seek(const Slice& target) {
  error_ = Status::OK();
  for (PrefetchableIterator* child : prefetchable_) child->PrefetchSeek(target);
  for (CachedIterator& child : children_) child.Seek(target);
  forward_ = true;
  BuildHeap();
}

void MergingIterator::Next() {
  assert(Valid());
  if (!forward_) return TurnForward();
  heap_[0]->Next();
  ReplaceTop();
}

void MergingIterator::Prev() {
  assert(Valid());
  if (forward_) return TurnBackward();
  heap_[0]->Prev();
  ReplaceTop();
}

// Keeps the error of the children before they are repositioned for a change of direction.
void MergingIterator::KeepError() {
  error_ = status();
}

void MergingIterator::BuildHeap() {
  heap_.clear();
  for (CachedIterator& child : children_) {
    if (child.Valid()) heap_.push_back(&child);
  }
  for (size_t position = heap_.size() / 2; position-- > 0;) SiftDown(position);
  runner_up_ = 0;
}

// Returns the child of heap position `position` that comes first. REQUIRES: there is at least one.
size_t MergingIterator::BetterFollower(size_t position) const {
  const size_t left = 2 * position + 1;
  const size_t right = left + 1;
  return right < heap_.size() && Precedes(heap_[right], heap_[left]) ? right : left;
}

void MergingIterator::SiftDown(size_t position) {
  CachedIterator* const child = heap_[position];
  while (2 * position + 1 < heap_.size()) {
    const size_t follower = BetterFollower(position);
    if (Precedes(child, heap_[follower])) break;
    heap_[position] = heap_[follower];
    position = follower;
  }
  heap_[position] = child;
}

// Restores the heap after the top child has moved.
void MergingIterator::ReplaceTop() {
  if (!heap_[0]->Valid()) {
    heap_[0] = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) SiftDown(0);
    runner_up_ = 0;
    return;
  }
  if (heap_.size() == 1) return;
  if (runner_up_ == 0) runner_up_ = BetterFollower(0);
  if (Precedes(heap_[0], heap_[runner_up_])) return;
  std::swap(heap_[0], heap_[runner_up_]);
  SiftDown(runner_up_);
  runner_up_ = 0;
}

// Moves every child except the current one to its first entry that comes after the current entry.
// Among entries with the same key, those of children with lower indexes come before it.
void MergingIterator::SeekOthersBeyond(const CachedIterator* current) {
  const Slice key = current->key();
  for (CachedIterator& child : children_) {
    if (&child == current) continue;
    child.Seek(key);
    if (&child < current) PassKey(&child, key);
  }
}

// Takes one step forward after steps backward.
void MergingIterator::TurnForward() {
  KeepError();
  CachedIterator* const current = heap_[0];
  SeekOthersBeyond(current);
  current->Next();
  forward_ = true;
  BuildHeap();
}

// Takes one step backward after steps forward: moves every other child to its last entry before the
// current one. A memtable may have grown since the seek, so a step back from there may lead to new
// entries that come after the current one.
void MergingIterator::TurnBackward() {
  KeepError();
  CachedIterator* const current = heap_[0];
  SeekOthersBeyond(current);
  for (CachedIterator& child : children_) {
    if (&child == current) continue;
    if (child.Valid()) {
      child.Prev();
    } else if (child.status().ok()) {  // a child that failed must not reappear at its end
      child.SeekToLast();
    }
    while (child.Valid() && order_.Compare(child.key(), current->key()) > 0) child.Prev();
  }
  current->Prev();
  forward_ = false;
  BuildHeap();
}

// Moves a child that is at the first entry at or after `key` past the entries with that key.
void MergingIterator::PassKey(CachedIterator* child, const Slice& key) const {
  while (child->Valid() && order_.Compare(child->key(), key) == 0) child->Next();
}

}  // namespace

InternalIterator* NewMergingIterator(const KeyOrder& order, std::vector<InternalIterator*> children,
                                     std::vector<PrefetchableIterator*> prefetchable) {
  if (children.empty()) return NewEmptyInternalIterator();
  if (children.size() == 1) return children[0];
  return new MergingIterator(order, children, std::move(prefetchable));
}

}  // namespace leveldb
