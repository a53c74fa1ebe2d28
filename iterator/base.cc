// The cleanup list that every Iterator has, and the two iterators without entries.

#include <cassert>

#include "iterator/internal_iterator.h"
#include "iterator/prefetchable_iterator.h"
#include "leveldb/iterator.h"

namespace leveldb {

Iterator::Iterator() {
  cleanup_head_.function = nullptr;
  cleanup_head_.next = nullptr;
}

Iterator::~Iterator() {
  if (cleanup_head_.IsEmpty()) return;
  cleanup_head_.Run();
  CleanupNode* node = cleanup_head_.next;
  while (node != nullptr) {
    CleanupNode* const next = node->next;
    node->Run();
    delete node;
    node = next;
  }
}

void Iterator::RegisterCleanup(CleanupFunction function, void* arg1, void* arg2) {
  assert(function != nullptr);
  CleanupNode* node = &cleanup_head_;
  if (!cleanup_head_.IsEmpty()) {
    node = new CleanupNode;
    node->next = cleanup_head_.next;
    cleanup_head_.next = node;
  }
  node->function = function;
  node->arg1 = arg1;
  node->arg2 = arg2;
}

namespace {

class EmptyIterator final : public InternalIteratorBase<EmptyIterator, PrefetchableIterator> {
 public:
  explicit EmptyIterator(const Status& status) : status_(status) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void PrefetchSeek(const Slice& target) override {}
  void Seek(const Slice& target) override {}
  void Next() override { assert(false); }
  void Prev() override { assert(false); }
  Slice key() const override {
    assert(false);
    return Slice();
  }
  Slice value() const override {
    assert(false);
    return Slice();
  }
  Status status() const override { return status_; }

 private:
  const Status status_;
};

}  // namespace

Iterator* NewEmptyIterator() {
  return new EmptyIterator(Status::OK());
}

Iterator* NewErrorIterator(const Status& status) {
  return new EmptyIterator(status);
}

InternalIterator* NewEmptyInternalIterator() {
  return new EmptyIterator(Status::OK());
}

PrefetchableIterator* NewPrefetchableErrorIterator(const Status& status) {
  return new EmptyIterator(status);
}

}  // namespace leveldb
