#include "pmem/group/group_iter.h"

#include <cassert>
#include <memory>
#include <utility>

#include "pmem/bptree/iter.h"

namespace leveldb {

namespace {

// Iterates over the trees one after the other. Skips the rest of a tree that can't be read; its
// error is kept for status().
class TreeListIterator final : public InternalIteratorBase<TreeListIterator> {
 public:
  TreeListIterator(const InternalKeyComparator* comparator, TreeList trees, bool verify_checksums,
                   const ReadAhead* read_ahead)
      : comparator_(*comparator),
        trees_(std::move(trees)),
        verify_checksums_(verify_checksums),
        read_ahead_(read_ahead),
        index_(trees_.size()) {}

  bool Valid() const override { return tree_ != nullptr && tree_->Valid(); }
  Slice key() const override { return tree_->key(); }
  Slice value() const override { return tree_->value(); }

  Status status() const override {
    if (!error_.ok() || tree_ == nullptr) return error_;
    return tree_->status();
  }

  void Seek(const Slice& target) override {
    error_ = Status::OK();
    Open(FindTree(target));
    if (tree_ != nullptr) tree_->Seek(target);
    SkipForward();
  }

  void SeekToFirst() override {
    error_ = Status::OK();
    Open(0);
    if (tree_ != nullptr) tree_->SeekToFirst();
    SkipForward();
  }

  void SeekToLast() override {
    error_ = Status::OK();
    Open(trees_.empty() ? 0 : trees_.size() - 1);
    if (tree_ != nullptr) tree_->SeekToLast();
    SkipBackward();
  }

  void Next() override {
    assert(Valid());
    tree_->Next();
    SkipForward();
  }

  void Prev() override {
    assert(Valid());
    tree_->Prev();
    SkipBackward();
  }

 private:
  // Returns the first tree that ends at or after the target.
  size_t FindTree(const Slice& target) const {
    size_t begin = 0;
    size_t end = trees_.size();
    while (begin < end) {
      const size_t middle = begin + (end - begin) / 2;
      if (comparator_.Compare(trees_[middle]->record().largest.Encode(), target) < 0) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  // Opens tree `index` unless it is open already; closes the open one if `index` is past the end.
  void Open(size_t index) {
    if (index == index_ && tree_ != nullptr) return;
    index_ = index;
    tree_.reset(index < trees_.size() ? trees_[index]->NewIterator(verify_checksums_, read_ahead_)
                                      : nullptr);
  }

  void KeepError() {
    if (error_.ok()) error_ = tree_->status();
  }

  void SkipForward() {
    while (tree_ != nullptr && !tree_->Valid()) {
      KeepError();
      Open(index_ + 1);
      if (tree_ != nullptr) tree_->SeekToFirst();
    }
  }

  void SkipBackward() {
    while (tree_ != nullptr && !tree_->Valid()) {
      KeepError();
      Open(index_ == 0 ? trees_.size() : index_ - 1);
      if (tree_ != nullptr) tree_->SeekToLast();
    }
  }

  const InternalKeyComparator& comparator_;
  const TreeList trees_;
  const bool verify_checksums_;
  const ReadAhead* const read_ahead_;
  size_t index_;  // of the open tree; the number of trees if none is open
  std::unique_ptr<TreeIterator> tree_;
  Status error_;  // the first error of the trees that were left
};

// Returns an iterator over one tree that keeps it alive.
InternalIterator* NewOwningIterator(const TreePtr& tree, bool verify_checksums,
                                    const ReadAhead* read_ahead) {
  InternalIterator* const iterator = tree->NewIterator(verify_checksums, read_ahead);
  iterator->RegisterCleanup([](void* owner, void*) { delete static_cast<TreePtr*>(owner); },
                            new TreePtr(tree), nullptr);
  return iterator;
}

}  // namespace

InternalIterator* NewTreeListIterator(const InternalKeyComparator* comparator, TreeList trees,
                                      bool verify_checksums, const ReadAhead* read_ahead) {
  return new TreeListIterator(comparator, std::move(trees), verify_checksums, read_ahead);
}

void AppendGroupIterators(const TreeGroupPtr& group, bool verify_checksums,
                          const ReadAhead* read_ahead, std::vector<InternalIterator*>* iterators) {
  for (int level = 0; level < kGroupLevels; level++) {
    const TreeList& trees = group->trees(level);
    if (trees.empty()) continue;
    if (level > 0) {
      iterators->push_back(
          NewTreeListIterator(&group->comparator(), trees, verify_checksums, read_ahead));
      continue;
    }
    for (const TreePtr& tree : trees) {
      iterators->push_back(NewOwningIterator(tree, verify_checksums, read_ahead));
    }
  }
}

}  // namespace leveldb
